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
import { attempt, type RunContext, retryUntilDone } from '../run/context.ts';
import { type Disturbance, type Disturbances, noRepair } from './disturbance.ts';

const onLane =
  (disturbance: (context: RunContext, lane: string) => ReturnType<Disturbance>): Disturbance =>
  async (context) => {
    const lanes = await context.service.world.lanes();
    return lanes.length > 0 ? disturbance(context, context.choices.pick(lanes).lane) : undefined;
  };

const lanePaused = onLane(async (context, lane) => {
  await attempt(context, 'pause', () => context.service.process((services) => pauseLane(services, lane)));
  return () => resumeOrResync(context, lane);
});

/** Follows docs/operations/lanes.md: resume, and resync where another holder has used the key. */
function resumeOrResync(context: RunContext, lane: string): Promise<void> {
  const { service } = context;
  return retryUntilDone(context, `resume ${lane}`, async () => {
    try {
      await service.process((services) => resumeLane(services, lane));
    } catch (error) {
      if (!(error instanceof LaneBehindError)) throw error;
      await service.process((services) => resyncLane(services, lane));
    }
  });
}

export async function resumeAll(context: RunContext): Promise<void> {
  for (const { lane, paused } of await context.service.world.lanes()) {
    if (paused !== undefined) await resumeOrResync(context, lane);
  }
}

const lowestCanceled = onLane(async (context, lane) => {
  await attempt(context, 'cancel', () =>
    context.service.process((services) => cancelTransaction(services, lane)),
  );
  return noRepair;
});

/** An operator, or AWS, aborts some executions. */
const executionsAborted: Disturbance = ({ service: { machines }, choices }) => {
  const running = [...machines.executions.values()].filter(({ status }) => status === 'RUNNING');
  const aborted = running.filter(() => choices.oneIn(4));
  for (const { name } of aborted) machines.abort(name);
  return aborted.length > 0 ? noRepair : undefined;
};

const sweptTwice: Disturbance = async (context) => {
  const run = () => attempt(context, 'sweep', () => context.service.process(sweep));
  await Promise.all([run(), run()]);
  return noRepair;
};

/** Another holder of the key sends a transaction of its own. Rare, because an operator has to act every time. */
const keyUsedElsewhere = onLane(async (context, lane) => {
  if (!context.choices.oneIn(4)) return undefined;
  const { chain } = context.service.world;
  await attempt(context, 'foreign nonce', () => chain.spendNonce(parseLane(lane).signerAddress));
  return () => resumeAll(context);
});

/** Disturbances that an operator resolves, or causes. */
export const operatorDisturbances: Disturbances = {
  'lane paused': lanePaused,
  'lowest transaction canceled': lowestCanceled,
  'executions aborted': executionsAborted,
  'swept twice': sweptTwice,
  'key used elsewhere': keyUsedElsewhere,
};

const maxKeys = 3;

/**
 * Follows docs/operations/signing-keys.md: the key becomes an operator of the forwarder first, then the service's signer. It may be
 * an earlier key.
 */
const keyRotated: Disturbance = async (context) => {
  const { service, scenario, choices } = context;
  const { chain, delegateAddress, signers } = service.world;
  if (!scenario.given.forwarder) return undefined;
  const draining = (await knownSigners(context)).filter(({ state }) => state === 'draining');
  const isNew = draining.length === 0 || (signers.size < maxKeys && choices.oneIn(2));
  if (isNew && signers.size >= maxKeys) return undefined;
  const key = isNew ? await context.addKey() : choices.pick(draining);
  if (isNew) await chain.addOperator(delegateAddress, key.address);
  const { chainId } = chain.settings;
  service.queue.after(scenario.given.confirmations * scenario.given.blockTimeSeconds, () =>
    attempt(context, 'rotate', () => service.process((services) => activateSigner(services, chainId, key))),
  );
  return noRepair;
};

function knownSigners({ service: { world } }: RunContext): Promise<readonly ChainSigner[]> {
  return chainSigners(world.services, world.chain.settings.chainId);
}

/** A former key leaks: it is revoked in the service first, then removed from the forwarder. */
const keyLeaks: Disturbance = async (context) => {
  const { service } = context;
  const { chainId } = service.world.chain.settings;
  const usable = (await knownSigners(context)).filter(({ state }) => state !== 'revoked');
  const [oldest] = usable;
  if (!oldest || usable.length < 2) return undefined;
  const revoke = () => service.process((services) => revokeSigner(services, chainId, oldest.address));
  await retryUntilDone(context, 'revoke', revoke);
  return () => restoreOperators(context);
};

/** Makes every key an operator of the forwarder, except the revoked ones, which it removes. */
export async function restoreOperators(context: RunContext): Promise<void> {
  const { chain, services, delegateAddress } = context.service.world;
  if (!context.scenario.given.forwarder) return;
  for (const { address, state } of await knownSigners(context)) {
    const isAllowed = state !== 'revoked';
    const isKnown = await services.chain(chain.settings.chainId).isOperator(delegateAddress, address);
    if (isAllowed && !isKnown) await chain.addOperator(delegateAddress, address);
    if (!isAllowed && isKnown) await chain.removeOperator(delegateAddress, address);
  }
}

export const rotations: Disturbances = { 'key rotated': keyRotated, 'key leaks': keyLeaks };
