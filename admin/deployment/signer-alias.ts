/** The alias of the n-th signing key of a deployment beside the stack's own. Functions may use keys named so. */
export function signerAlias(stackName: string, number: number): string {
  return `alias/imprimatur/${stackName}/signer-${number}`;
}
