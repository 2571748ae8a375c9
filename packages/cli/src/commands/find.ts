import { type Command, Option } from 'commander';
import type { Attestation, AttestationFilter } from 'imprimatur-client';
import { parseArticleUrl, parseCount, parseTime } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { contentCid, readContent } from '../files/read-content.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import { listText, newest } from './list.ts';

/** Exit code of a look-up that found nothing: no failure, and told from one. */
const nothingFound = 4;

const statuses = ['pending', 'committed', 'confirmed', 'failed'] as const satisfies Attestation['status'][];

interface FindChoice {
  readonly cid?: string;
  readonly url?: string;
  readonly status?: Attestation['status'];
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly all?: true;
}

const explanation = `
What is found fulfils all that is asked for. A file is looked up by its CID,
exactly as it is. A URL is compared as the URL standard writes it: in lower case
up to the path, and https://example.org is https://example.org/.

Exit code 4: nothing was found.`;

export function find(program: Command, act: Act): void {
  program
    .command('find')
    .description('Find attestations of yours: of a file, a CID or a URL, by status or by time; newest first.')
    .argument('[file]', 'a text, exactly as attested, or - for standard input')
    .option('--cid <cid>', "the content's CID")
    .option('--url <url>', "the article's URL", parseArticleUrl)
    .addOption(new Option('--status <status>', 'the present status').choices(statuses))
    .option(
      '--since <time>',
      'created at this time or after it: 2026-11-22 or 2026-11-22T09:00:00Z',
      parseTime,
    )
    .option('--until <time>', 'created before this time', parseTime)
    .option('--limit <n>', 'how many', parseCount, 50)
    .addOption(new Option('--all', 'all of them').conflicts('limit'))
    .addHelpText('after', explanation)
    .action((path: string | undefined, choice: FindChoice) => act((session) => look(session, path, choice)));
}

async function look(session: Session, path: string | undefined, choice: FindChoice): Promise<CommandAnswer> {
  const filter = await filterOf(session, path, choice);
  const json = await newest(session, choice.all ? Number.POSITIVE_INFINITY : choice.limit, filter);
  if (json.attestations.length > 0) return { json, text: listText(json) };
  const subject = path === undefined ? 'such an attestation' : `an attestation of it (${filter.contentCid})`;
  return { json, text: `You do not have ${subject}.`, exitCode: nothingFound };
}

async function filterOf(
  session: Session,
  path: string | undefined,
  { cid, url, status, since, until }: FindChoice,
): Promise<AttestationFilter> {
  if (path !== undefined && cid !== undefined)
    throw new UsageInvalidError('give a file or --cid, not both: each says which content');
  const ofFile = path === undefined ? cid : contentCid(await readContent(path, session));
  const filter = { contentCid: ofFile, url, status, createdAfter: since, createdBefore: until };
  if (Object.values(filter).some((value) => value !== undefined)) return filter;
  throw new UsageInvalidError(
    'say what to find: a file, --cid, --url, --status, --since or --until; imprimatur list lists all',
  );
}
