import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, zeroHash } from 'viem';
import { attempt, type Stage } from '../life/stage.ts';
import { passes, type Trouble, type Troubles } from './trouble.ts';

const delegationEnds: Trouble = async (stage) => {
  const { chain, delegateAddress } = stage.service.world;
  const { authorityAddress } = stage.chance.pick(stage.callers);
  await chain.revokeDelegation(authorityAddress);
  return () => chain.delegate(authorityAddress, delegateAddress);
};

/** The authority itself attests a content that it has posted, or is about to post. */
const authorityAttests: Trouble = async (stage, publishers) => {
  const { service, chance, scenario } = stage;
  const wanted = publishers.open();
  if (wanted.length === 0) return undefined;
  const { authorityAddress, digest } = chance.pick(wanted);
  const own = ownCalls(authorityAddress, digest);
  await service.world.chain.act(authorityAddress, own.commit);
  const delay = scenario.given.revealDelaySeconds + chance.between(1, 3) * scenario.given.blockTimeSeconds;
  service.queue.after(delay, () =>
    attempt(stage, 'authority reveals', () => service.world.chain.act(authorityAddress, own.reveal)),
  );
  return passes;
};

function ownCalls(authority: Address, digest: Hex): { commit: Hex; reveal: Hex } {
  const salt = keccak256(digest);
  const saltedHash = keccak256(concat([digest, pad(authority, { size: 32, dir: 'right' }), salt]));
  const args = [saltedHash, salt, digest, zeroHash, zeroHash, authority] as const;
  return {
    commit: encodeFunctionData({ abi, functionName: 'commit', args: [saltedHash] }),
    reveal: encodeFunctionData({ abi, functionName: 'reveal', args }),
  };
}

/** Makes every authority delegate to the service again, where it does not. */
export async function restoreDelegations({ service, callers }: Stage): Promise<void> {
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

export const authorityTroubles: Troubles = {
  'delegation ends': delegationEnds,
  'authority attests': authorityAttests,
};
