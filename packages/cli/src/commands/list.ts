import { type Command, Option } from 'commander';
import type { Attestation, AttestationFilter } from 'imprimatur-client';
import { table } from 'imprimatur-terminal/text';
import { parseCount } from '../arguments.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import { statusText } from '../text.ts';

const largestPage = 200;

interface ListChoice {
  readonly limit: number;
  readonly all?: true;
}

export function list(program: Command, act: Act): void {
  program
    .command('list')
    .description('List your attestations, newest first.')
    .option('--limit <n>', 'how many', parseCount, 50)
    .addOption(new Option('--all', 'all of them').conflicts('limit'))
    .action(({ limit, all }: ListChoice) =>
      act((session) => show(session, all ? Number.POSITIVE_INFINITY : limit)),
    );
}

async function show(session: Session, count: number): Promise<CommandAnswer> {
  const json = await newest(session, count);
  if (json.attestations.length > 0) return { json, text: listText(json) };
  return { json, text: 'There is no attestation yet; imprimatur attest makes one.' };
}

export interface Listed {
  readonly attestations: readonly Attestation[];
  readonly more: boolean;
}

export function listText({ attestations, more }: Listed): string {
  const rows = attestations.map((attestation) => {
    const { id, chainId, createdAt, url, contentCid } = attestation;
    return [id, statusText(attestation), chainId, createdAt, url ?? contentCid];
  });
  const note = more ? '\nthere are more: a larger --limit or --all shows them' : '';
  return `${table(['ID', 'STATUS', 'CHAIN', 'CREATED', 'URL OR CID'], rows)}${note}`;
}

/** Reads as many of the newest attestations that fulfil the filter, over as many pages as that takes. */
export async function newest(
  { client, signal }: Session,
  count: number,
  filter: AttestationFilter = {},
): Promise<Listed> {
  const attestations: Attestation[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(largestPage, count - attestations.length);
    const page = await client.list({ ...filter, limit, cursor, signal });
    attestations.push(...page.attestations);
    cursor = page.nextCursor;
  } while (cursor !== undefined && attestations.length < count);
  return { attestations, more: cursor !== undefined };
}
