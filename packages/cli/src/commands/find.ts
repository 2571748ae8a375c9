import { type Command, Option } from 'commander';
import type { Attestation, AttestationFilter } from 'imprimatur-client';
import { helpText } from 'imprimatur-terminal/help';
import { table } from 'imprimatur-terminal/text';
import { parseArticleUrl, parseCount, parseTime } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { contentCid, readContent } from '../files/read-content.ts';
import { commonExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import { statusText } from '../text.ts';

const maxPageSize = 200;

interface ListOptions {
  readonly limit: number;
  readonly all?: true;
}

const listHelp = helpText({
  examples: ['imprimatur list --limit 10', 'imprimatur list --all'],
  exitCodes: commonExitCodes,
});

export function list(program: Command, run: RunCommand): void {
  program
    .command('list')
    .description('List your attestations, newest first.')
    .option('--limit <n>', 'maximum number', parseCount, 50)
    .addOption(new Option('--all', 'no limit').conflicts('limit'))
    .addHelpText('after', listHelp)
    .action(({ limit, all }: ListOptions) =>
      run(async (session) =>
        resultOf(await readNewest(session, all ? Number.POSITIVE_INFINITY : limit), {
          text: 'No attestations yet. To create one, run imprimatur attest.',
        }),
      ),
    );
}

const resultOf = (json: Listed, none: Omit<CommandResult, 'json'>): CommandResult =>
  json.attestations.length > 0 ? { json, text: listText(json) } : { json, ...none };

interface Listed {
  readonly attestations: readonly Attestation[];
  readonly more: boolean;
}

function listText({ attestations, more }: Listed): string {
  const rows = attestations.map((attestation) => {
    const { id, chainId, createdAt, url, contentCid } = attestation;
    return [id, statusText(attestation), chainId, createdAt, url ?? contentCid];
  });
  const note = more ? '\nThere are more: pass a larger --limit or --all.' : '';
  return `${table(['ID', 'STATUS', 'CHAIN', 'CREATED', 'URL OR CID'], rows)}${note}`;
}

/** Reads the newest attestations that match the filter, from as many pages as necessary. */
async function readNewest({ client, signal }: Session, count: number, filter: AttestationFilter = {}) {
  const attestations: Attestation[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(maxPageSize, count - attestations.length);
    const page = await client.list({ ...filter, limit, cursor, signal });
    attestations.push(...page.attestations);
    cursor = page.nextCursor;
  } while (cursor !== undefined && attestations.length < count);
  return { attestations, more: cursor !== undefined };
}

const statuses = ['pending', 'committed', 'confirmed', 'failed'] as const satisfies Attestation['status'][];

interface FindOptions extends ListOptions {
  readonly cid?: string;
  readonly url?: string;
  readonly status?: Attestation['status'];
  readonly since?: string;
  readonly until?: string;
}

const help = helpText({
  notes: `Several conditions must all match. A file is found by its CID. URLs are compared
in normalized form: https://EXAMPLE.org equals https://example.org/.`,
  examples: ['imprimatur find article.md', 'imprimatur find --status failed --since 2026-11-22'],
  exitCodes: { ...commonExitCodes, 4: 'nothing found' },
});

export function find(program: Command, run: RunCommand): void {
  program
    .command('find')
    .description('Find your attestations by file, CID, URL, status or time, newest first.')
    .argument('[file]', 'exact text, or - for stdin')
    .option('--cid <cid>', 'CID of the content')
    .option('--url <url>', 'URL of the article', parseArticleUrl)
    .addOption(new Option('--status <status>', 'current status').choices(statuses))
    .option('--since <time>', 'created at or after: 2026-11-22 or 2026-11-22T09:00:00Z', parseTime)
    .option('--until <time>', 'created before', parseTime)
    .option('--limit <n>', 'maximum number', parseCount, 50)
    .addOption(new Option('--all', 'no limit').conflicts('limit'))
    .addHelpText('after', help)
    .action((path: string | undefined, options: FindOptions) =>
      run((session) => findAttestations(session, path, options)),
    );
}

async function findAttestations(session: Session, path: string | undefined, options: FindOptions) {
  const filter = await filterOf(session, path, options);
  const json = await readNewest(session, options.all ? Number.POSITIVE_INFINITY : options.limit, filter);
  const { contentCid, ...others } = filter;
  const isOnlyContent = path !== undefined && Object.values(others).every((value) => value === undefined);
  const noneText = isOnlyContent ? `You have no attestation of ${contentCid}` : 'No attestation matches';
  // Finding nothing is not a failure, so it has its own exit code.
  return resultOf(json, { text: `${noneText}.`, exitCode: 4 });
}

async function filterOf(
  session: Session,
  path: string | undefined,
  { cid, url, status, since, until }: FindOptions,
): Promise<AttestationFilter> {
  if (path !== undefined && cid !== undefined) throw new UsageInvalidError('pass a file or --cid, not both');
  const cidOfFile = path === undefined ? cid : contentCid(await readContent(path, session));
  const filter = { contentCid: cidOfFile, url, status, createdAfter: since, createdBefore: until };
  if (Object.values(filter).some((value) => value !== undefined)) return filter;
  throw new UsageInvalidError(
    'missing condition; pass a file, --cid, --url, --status, --since or --until, or run imprimatur list',
  );
}
