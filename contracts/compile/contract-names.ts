/** Names of the contracts that are deployed; each is in the source file of its name. */
const deployedNames = ['AttestationRegistry', 'DelegateForwarder'] as const;

/** Names of the contracts that have artifacts; the last is run by `eth_call` alone. */
export const contractNames = [...deployedNames, 'RegistryStates'] as const;

export type ContractName = (typeof contractNames)[number];

export function isDeployed(name: ContractName): boolean {
  return deployedNames.some((one) => one === name);
}
