import { zeroHash } from 'viem';
import { ownAttestation } from '../../fakes/chain/own-attestation.ts';
import { attempt, type RunContext } from '../run/context.ts';
import { type Disturbance, type Disturbances, noRepair } from './disturbance.ts';

const delegationEnds: Disturbance = async (context) => {
  const { chain, delegateAddress } = context.service.world;
  const { authorityAddress } = context.choices.pick(context.callers);
  await chain.revokeDelegation(authorityAddress);
  return () => chain.delegate(authorityAddress, delegateAddress);
};

/** The authority itself attests content that its organization has posted and that is not confirmed yet. */
const authorityAttests: Disturbance = async (context, publishers) => {
  const { service, choices, scenario } = context;
  const unconfirmed = publishers.unconfirmed();
  if (unconfirmed.length === 0) return undefined;
  const { authorityAddress, digest } = choices.pick(unconfirmed);
  const own = ownAttestation(authorityAddress, digest);
  await service.world.chain.act(authorityAddress, own.commit);
  const delay = scenario.given.revealDelaySeconds + choices.between(1, 3) * scenario.given.blockTimeSeconds;
  service.queue.after(delay, () =>
    attempt(context, 'authority reveals', () => service.world.chain.act(authorityAddress, own.reveal)),
  );
  return noRepair;
};

/** Delegates to the service again for every authority that does not delegate to it. */
export async function restoreDelegations({ service, callers }: RunContext): Promise<void> {
  const { chain, delegateAddress } = service.world;
  const { registryAddress, confirmations } = chain.settings;
  for (const { authorityAddress } of callers) {
    const registryState = await chain.registry.registryState({
      registryAddress,
      authorityAddress,
      digest: zeroHash,
    });
    if (registryState.delegateAddress !== delegateAddress) {
      await chain.delegate(authorityAddress, delegateAddress);
    }
  }
  // Deep enough that no reorg undoes them.
  for (let block = 0; block < confirmations; block++) await chain.mine();
}

export const authorityDisturbances: Disturbances = {
  'delegation ends': delegationEnds,
  'authority attests': authorityAttests,
};
