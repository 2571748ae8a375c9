import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { cancelTransaction } from '../../../functions/domain/operator/cancel-transaction.ts';
import {
  LaneBehindError,
  pauseLane,
  resumeLane,
  resyncLane,
} from '../../../functions/domain/operator/lane-control.ts';
import { sweep } from '../../../functions/domain/steps/sweep.ts';
import { attempt, insist, type Stage } from '../life/stage.ts';
import { passes, type Trouble, type Troubles } from './trouble.ts';

async function someLane({ service, chance }: Stage): Promise<string | undefined> {
  const lanes = await service.world.lanes();
  return lanes.length > 0 ? chance.pick(lanes).lane : undefined;
}

const lanePaused: Trouble = async (stage) => {
  const lane = await someLane(stage);
  if (lane === undefined) return undefined;
  await attempt(stage, 'pause', () => stage.service.process((mortal) => pauseLane(mortal, lane)));
  return () => resumeOrResync(stage, lane);
};

/** Follows docs/operations.md: resume, and resync where another holder has used the key. */
function resumeOrResync(stage: Stage, lane: string): Promise<void> {
  const { service } = stage;
  return insist(stage, `resume ${lane}`, async () => {
    try {
      await service.process((mortal) => resumeLane(mortal, lane));
    } catch (error) {
      if (!(error instanceof LaneBehindError)) throw error;
      await service.process((mortal) => resyncLane(mortal, lane));
    }
  });
}

/** Resumes every paused lane, for whichever reason it was paused. */
export async function resumeAll(stage: Stage): Promise<void> {
  for (const { lane, paused } of await stage.service.world.lanes()) {
    if (paused !== undefined) await resumeOrResync(stage, lane);
  }
}

const lowestCancelled: Trouble = async (stage) => {
  const lane = await someLane(stage);
  if (lane === undefined) return undefined;
  await attempt(stage, 'cancel', () => stage.service.process((mortal) => cancelTransaction(mortal, lane)));
  return passes;
};

/** An operator, or AWS, ends some executions. */
const executionsAborted: Trouble = ({ service: { machines }, chance }) => {
  const running = [...machines.executions.values()].filter(({ status }) => status === 'RUNNING');
  const aborted = running.filter(() => chance.oneIn(4));
  for (const { name } of aborted) machines.abort(name);
  return aborted.length > 0 ? passes : undefined;
};

const sweptTwice: Trouble = async (stage) => {
  const run = () => attempt(stage, 'sweep', () => stage.service.process(sweep));
  await Promise.all([run(), run()]);
  return passes;
};

/** Another holder of the key sends a transaction of its own. Rare, because an operator has to act every time. */
const keyUsedElsewhere: Trouble = async (stage) => {
  const lane = await someLane(stage);
  if (lane === undefined || !stage.chance.oneIn(4)) return undefined;
  const { chain } = stage.service.world;
  await attempt(stage, 'foreign nonce', () => chain.spendNonce(parseLane(lane).signerAddress));
  return () => resumeAll(stage);
};

/** Troubles that an operator resolves, or causes. */
export const operatorTroubles: Troubles = {
  'lane paused': lanePaused,
  'lowest cancelled': lowestCancelled,
  'executions aborted': executionsAborted,
  'swept twice': sweptTwice,
  'key used elsewhere': keyUsedElsewhere,
};
