/** Names of the contracts that are deployed; each is in the source file of its name. */
export const contractNames = ['AttestationRegistry', 'DelegateForwarder'] as const;

export type ContractName = (typeof contractNames)[number];
