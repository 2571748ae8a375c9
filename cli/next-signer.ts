import type { Services } from '../functions/domain/services.ts';
import { chainSigners } from '../functions/domain/signers.ts';
import type { Desk, SignerKey } from './desk.ts';
import { signerAlias } from './signer-alias.ts';

/**
 * The key that is to be the chain's next signer: the first of the deployment's that is free for it, made if there is
 * none. Run again before it is in use, it finds the same one.
 */
export async function nextSigner(desk: Desk, services: Services, chainId: number): Promise<SignerKey> {
  const { signerKeys, stackName } = desk;
  const taken = await takenAddresses(services, chainId);
  for (let number = 1; ; number++) {
    const alias = signerAlias(stackName, number);
    const found = await signerKeys.find(alias);
    if (!found) return signerKeys.create(alias);
    if (found !== 'unusable' && !taken.has(found.address)) return found;
  }
}

/** Of this chain's signers all. Of another's those that were replaced: one may have leaked, and keys serve any chain. */
async function takenAddresses({ settings, ...services }: Services, chainId: number): Promise<Set<string>> {
  const lists = await Promise.all(
    settings.chains.map(async (chain) => {
      const signers = await chainSigners({ settings, ...services }, chain.chainId);
      return signers.filter(({ state }) => chain.chainId === chainId || state !== 'active');
    }),
  );
  return new Set(lists.flat().map(({ address }) => address));
}
