/**
 * Alias of a deployment's n-th signing key besides the stack's own. The functions' permissions cover keys with such
 * aliases.
 */
export function signerAlias(stackName: string, number: number): string {
  return `alias/imprimatur/${stackName}/signer-${number}`;
}
