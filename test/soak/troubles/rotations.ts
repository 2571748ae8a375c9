import { type ChainSigner, chainSigners } from '../../../functions/domain/lane/signers.ts';
import { activateSigner, revokeSigner } from '../../../functions/domain/operator/change-signers.ts';
import { attempt, insist, type Stage } from '../life/stage.ts';
import { passes, type Trouble, type Troubles } from './trouble.ts';

const mostKeys = 3;

/**
 * Follows docs/operations.md: the key becomes an operator of the forwarder first, then the service's signer. It may be
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
  await insist(stage, 'revoke', () =>
    service.process((mortal) => revokeSigner(mortal, chainId, oldest.address)),
  );
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

export const rotations: Troubles = { 'key rotated': keyRotated, 'key leaks': keyLeaks };
