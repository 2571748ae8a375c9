import type { AuthorityStatement } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';

type Verifier = typeof import('imprimatur-verifier');

/** Options that say which authority a domain is to name. */
export interface StatementChoice {
  readonly authority?: string;
  readonly chain?: readonly number[];
  readonly since?: string;
  readonly until?: string;
}

/** A time in the one form, of a day or a time. @throws UsageInvalidError */
export function parseTime({ isTime }: Verifier, option: string, text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (isTime(time)) return time;
  throw new UsageInvalidError(`${option} is a day or a time in UTC, 2026-11-22 or 2026-11-22T12:00:00Z`);
}

/** @throws UsageInvalidError */
export function parseAuthority(verifier: Verifier, text: string) {
  try {
    return verifier.parseAddress('--authority', text);
  } catch (error) {
    if (!(error instanceof verifier.ReferenceInvalidError)) throw error;
    throw new UsageInvalidError(error.message, { cause: error });
  }
}

/** Makes what the authority is to sign; from now on, where no beginning is given. @throws UsageInvalidError */
export function statementOf(
  verifier: Verifier,
  domain: string,
  { authority = '', chain = [], since }: StatementChoice,
): AuthorityStatement {
  if (chain.length === 0)
    throw new UsageInvalidError('say on which chains, with --chain: elsewhere the address may be another’s');
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  return {
    domain,
    address: parseAuthority(verifier, authority),
    chainIds: [...new Set(chain)].sort((a, b) => a - b),
    since: since === undefined ? now : parseTime(verifier, '--since', since),
  };
}

/** The text to sign, and the commands that go on from it. */
export function signingAdvice(
  message: string,
  { domain, address, chainIds, since }: AuthorityStatement,
): string {
  const chains = chainIds.map((id) => `--chain ${id}`).join(' ');
  return [
    `${address} signs this text as it stands (EIP-191, personal_sign):`,
    '',
    message,
    '',
    'With Foundry, for instance:',
    '',
    `cast wallet sign --account NAME '${message}'`,
    '',
    'Then, with the signature:',
    '',
    `imprimatur domain ${domain} --authority ${address} \\`,
    `  ${chains} --since ${since} --signature 0x…`,
  ].join('\n');
}
