/** Alias of a deployment's n-th signing key besides the stack's own, by which `signer rotate` finds it again. */
export function signerAlias(stackName: string, number: number): string {
  return `alias/imprimatur/${stackName}/signer-${number}`;
}
