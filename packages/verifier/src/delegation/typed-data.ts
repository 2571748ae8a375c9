import { zeroAddress } from 'viem';
import type { DelegationIntent } from './registry-call.ts';

/** Structs of EIP-712 that `delegateBySig` takes, the domain's among them: `eth_signTypedData_v4` wants it. */
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Delegation: [
    { name: 'authority', type: 'address' },
    { name: 'delegateAddress', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** What an authority signs to delegate, or to take it back, without sending anything: EIP-712, as JSON for any wallet. */
export function delegationTypedData(intent: DelegationIntent) {
  const { chainId, registryAddress, authorityAddress, nonce, deadline } = intent;
  return {
    domain: { name: 'AttestationRegistry', version: '1', chainId, verifyingContract: registryAddress },
    types,
    primaryType: 'Delegation' as const,
    message: {
      authority: authorityAddress,
      delegateAddress: intent.delegateAddress ?? zeroAddress,
      nonce,
      deadline,
    },
  };
}
