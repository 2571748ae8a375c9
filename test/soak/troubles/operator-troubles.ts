import { parseLane } from '../../../functions/domain/lane/lane.ts';
import { type ChainSigner, chainSigners } from '../../../functions/domain/lane/signers.ts';
import { cancelTransaction } from '../../../functions/domain/operator/cancel-transaction.ts';
import { activateSigner, revokeSigner } from '../../../functions/domain/operator/change-signers.ts';
import {
  LaneBehindError,
  pauseLane,
  resumeLane,
  resyncLane,
} from '../../../functions/domain/operator/lane-control.ts';
import { sweep } from '../../../functions/domain/steps/sweep.ts';
import { attempt, insist, type Stage } from '../life/stage.ts';
import { passes, type Trouble, type Troubles } from './trouble.ts';

/** Makes a trouble of one of the lanes that there are. */
const ofLane =
  (trouble: (stage: Stage, lane: string) => ReturnType<Trouble>): Trouble =>
  async (stage) => {
    const lanes = await stage.service.world.lanes();
    return lanes.length > 0 ? trouble(stage, stage.chance.pick(lanes).lane) : undefined;
  };

const lanePaused = ofLane(async (stage, lane) => {
  await attempt(stage, 'pause', () => stage.service.process((mortal) => pauseLane(mortal, lane)));
  return () => resumeOrResync(stage, lane);
});

/** Follows docs/operations/lanes.md: resume, and resync where another holder has used the key. */
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

const lowestCancelled = ofLane(async (stage, lane) => {
  await attempt(stage, 'cancel', () => stage.service.process((mortal) => cancelTransaction(mortal, lane)));
  return passes;
});

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
const keyUsedElsewhere = ofLane(async (stage, lane) => {
  if (!stage.chance.oneIn(4)) return undefined;
  const { chain } = stage.service.world;
  await attempt(stage, 'foreign nonce', () => chain.spendNonce(parseLane(lane).signerAddress));
  return () => resumeAll(stage);
});

/** Troubles that an operator resolves, or causes. */
export const operatorTroubles: Troubles = {
  'lane paused': lanePaused,
  'lowest cancelled': lowestCancelled,
  'executions aborted': executionsAborted,
  'swept twice': sweptTwice,
  'key used elsewhere': keyUsedElsewhere,
};

const mostKeys = 3;

/**
 * Follows docs/operations/signing-keys.md: the key becomes an operator of the forwarder first, then the service's signer. It may be
 * an earlier key.
 */
const keyRotated: Trouble = async (stage) => {
  const { service, scenario, chance } = stage;
  const { chain, delegateAddress, signers } = service.world;
  if (!scenario.given.forwarder) return undefined;
  const former = (await knownSigners(stage)).filter(({ state }) => state === 'draining');
  const isNew = former.length === 0 || (signers.size < mostKeys && chance.oneIn(2));
  if (isNew && signers.size >= mostKeys) return undefined;
  const key = isNew ? await stage.addKey() : chance.pick(former);
  if (isNew) await chain.addOperator(delegateAddress, key.address);
  const { chainId } = chain.settings;
  service.queue.after(scenario.given.confirmations * scenario.given.blockTimeSeconds, () =>
    attempt(stage, 'rotate', () => service.process((mortal) => activateSigner(mortal, chainId, key))),
  );
  return passes;
};

function knownSigners({ service: { world } }: Stage): Promise<readonly ChainSigner[]> {
  return chainSigners(world.services, world.chain.settings.chainId);
}

/** The key in use leaks: it is revoked in the service first, then removed from the forwarder. */
const keyLeaks: Trouble = async (stage) => {
  const { service } = stage;
  const { chainId } = service.world.chain.settings;
  const usable = (await knownSigners(stage)).filter(({ state }) => state !== 'revoked');
  const [oldest] = usable;
  if (!oldest || usable.length < 2) return undefined;
  const revoke = () => service.process((mortal) => revokeSigner(mortal, chainId, oldest.address));
  await insist(stage, 'revoke', revoke);
  return () => restoreOperators(stage);
};

/** Makes the keys that may send operators of the forwarder, and removes the leaked ones. */
export async function restoreOperators(stage: Stage): Promise<void> {
  const { chain, services, delegateAddress } = stage.service.world;
  if (!stage.scenario.given.forwarder) return;
  for (const { address, state } of await knownSigners(stage)) {
    const may = state !== 'revoked';
    const isKnown = await services.chain(chain.settings.chainId).isOperator(delegateAddress, address);
    if (may && !isKnown) await chain.addOperator(delegateAddress, address);
    if (!may && isKnown) await chain.removeOperator(delegateAddress, address);
  }
}

/** Changes of the service's keys. */
export const rotations: Troubles = { 'key rotated': keyRotated, 'key leaks': keyLeaks };
