import type { Address } from 'viem';
import type { ChainSigner } from './signers.ts';
import { SignerLastError, SignerRevokedError } from './signers-errors.ts';

export type Signers = readonly ChainSigner[];

/**
 * The list with that signer active and the former active one draining: it sees its open transactions through, and
 * what they leave undone is sent by the new one.
 *
 * @throws SignerRevokedError
 */
export function withActive(signers: Signers, { address, keyId }: Omit<ChainSigner, 'state'>): Signers {
  const known = signers.find((signer) => signer.address === address);
  if (known?.state === 'active') return signers;
  if (known?.state === 'revoked') throw new SignerRevokedError(address);
  const others = signers.filter((signer) => signer !== known);
  const former = others.map((signer) => (signer.state === 'active' ? drained(signer) : signer));
  return [...former, { address, ...(keyId === undefined ? {} : { keyId }), state: 'active' }];
}

function drained(signer: ChainSigner): ChainSigner {
  return { ...signer, state: 'draining' };
}

/**
 * The list without that signer; if it was the active one, the newest that is not revoked is active instead.
 *
 * @throws SignerLastError when nobody could send any more, unless forced
 */
export function withoutSigner(signers: Signers, address: Address, { force = false } = {}): Signers {
  const signer = signers.find((one) => one.address === address);
  if (!signer || signer.state === 'revoked') return signers;
  const successor = signers.findLast((one) => one.address !== address && one.state !== 'revoked');
  if (!successor && !force) throw new SignerLastError(address);
  return signers.map((one): ChainSigner => {
    if (one === signer) return { ...one, state: 'revoked' };
    return one === successor && signer.state === 'active' ? { ...one, state: 'active' } : one;
  });
}
