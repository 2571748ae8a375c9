import { randomBytes, randomUUID } from 'node:crypto';
import { type Address, getAddress, type Hex, toHex } from 'viem';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import type { ChainSettings } from '../../../../functions/domain/settings.ts';
import type { Trial } from './simulate-attestation.ts';

const randomHash = (): Hex => toHex(randomBytes(32));

/** An address that nobody has the key of. */
export function randomAddress(): Address {
  return getAddress(toHex(randomBytes(20)));
}

/** Makes an attestation of random bytes on the newest registry of a chain, as the service would make it. */
export function newTrial(
  { chainId, registryAddress, revealDelaySeconds }: ChainSettings,
  sender: Address,
  forwarder: Trial['forwarder'],
): Trial {
  const attestation: Attestation = {
    ...{ schema: 1, organizationId: 'doctor', id: randomUUID(), contentCid: '' },
    ...{ digest: randomHash(), quoteRoot: randomHash(), salt: randomHash() },
    ...{ chainId, registryAddress, authorityAddress: randomAddress() },
    delegateAddress: forwarder?.address ?? sender,
    ...{ status: 'pending', error: null, childAttestationId: null, childSequence: 0 },
    ...{ childLinkTxHash: null, run: 1, createdAt: new Date(0).toISOString() },
  };
  return { attestation, sender, revealDelaySeconds, ...(forwarder && { forwarder }) };
}
