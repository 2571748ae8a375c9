import { type Command, Option } from 'commander';
import { type Attestation, type AttestFields, referenceOf } from 'imprimatur-client';
import { inOneLine } from 'imprimatur-terminal/text';
import { exactTextProfile } from 'imprimatur-verifier';
import { attestContent, notTaken } from '../acceptance.ts';
import { attestArchive } from '../archive/attest-archive.ts';
import type { ArchiveChoice } from '../archive/work.ts';
import { collect, parseArticleUrl, parseChainId, parseConcurrency } from '../arguments.ts';
import { UsageInvalidError } from '../errors.ts';
import { hiddenNotes, readExactContent } from '../files/exact-content.ts';
import { namesSeveral } from '../files/find-files.ts';
import { readContent, readJsonObject } from '../files/read-content.ts';
import { parseProofPath, pathOfProof, writeProof } from '../files/write-proof.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
import { attestationText } from '../text.ts';
import { addWaitOptions, awaitOutcome, type WaitChoice } from '../wait.ts';

interface AttestChoice extends WaitChoice {
  readonly chain?: number;
  readonly url?: string;
  readonly metadata?: string;
  /** `true` without a path: beside the text. */
  readonly proof?: string | true;
  readonly exactText?: true;
}

type AnyChoice = AttestChoice & ArchiveChoice;

const proofHelp = 'write the proof file (default: article.proof.json beside article.md); implies --wait';

const explanation = `
The file is attested exactly as it is, to the last line end: it must be UTF-8, at most 1,048,576 bytes. The same content
again is the same attestation, so the command may be repeated; after a failure it makes a new attempt.

An archive is several files, a folder (its .md, .markdown and .txt), a pattern such as 'articles/**/*.md', or a list:
  imprimatur attest 'articles/**/*.md' --dry-run     says how many, what it costs and how long it takes
  imprimatur attest 'articles/**/*.md' --proof       asks first; killed or stopped, the same command goes on
What is attested stands in the manifest. --yes, --dry-run, --list and --link-corrections make an archive of one file too.
--url is of one text: for an archive a list has the URLs. An archive waits until all is confirmed, or with --no-wait until
all is sent, and while the service refuses for its limits. It ends with exit code 1 where a file could not be attested.`;

export function attest(program: Command, act: Act): void {
  const command = program
    .command('attest')
    .description('Attest a text.')
    .argument('[file...]', 'the text, or - for standard input; several, folders or patterns are an archive')
    .usage('[options] <file...>')
    .option('--chain <id>', "chain to publish on (default: your organisation's)", parseChainId)
    .option('--url <url>', 'where the article is published', parseArticleUrl)
    .option('--metadata <file>', 'a JSON object that the service stores with it, never on-chain')
    .option(
      '--exact-text',
      'attest the text in the form of imprimatur text, and name its profile in the metadata',
    )
    .addOption(new Option('--proof [file]', proofHelp).argParser(parseProofPath).implies({ wait: true }))
    .option('--list <file>', 'an archive: CSV with the columns url and file, or JSON lines of both')
    .option('--manifest <file>', "an archive's manifest", 'imprimatur.lock.jsonl')
    .option('--dry-run', 'say what would be attested, and attest nothing')
    .option('--yes', 'begin without asking')
    .option('--concurrency <n>', 'texts of an archive that are sent at once', parseConcurrency, 8)
    .option('--link-corrections', 'link what a file was attested as before to what it is now')
    .option('--rpc <url>', "an RPC provider to ask for the gas price of an archive's estimate", collect)
    .addHelpText('after', explanation);
  addWaitOptions(command, 'it is confirmed')
    .option('--no-wait', 'end an archive when all of it is sent')
    .action((paths: string[], choice: AnyChoice) => act((session) => attestPaths(session, paths, choice)));
}

async function attestPaths(session: Session, paths: string[], choice: AnyChoice): Promise<CommandAnswer> {
  const [path, ...others] = paths;
  const { list, dryRun, yes, linkCorrections } = choice;
  const isArchive = list !== undefined || dryRun || yes || linkCorrections;
  if (path === undefined && !isArchive) throw new UsageInvalidError("missing required argument 'file'");
  if (path !== undefined && !isArchive && others.length === 0 && !namesSeveral(path))
    return submit(session, path, choice);
  if (path === undefined && list === undefined)
    throw new UsageInvalidError('say which files: a folder, a pattern');
  if (choice.url !== undefined)
    throw new UsageInvalidError('--url is of one text: name the URLs of an archive with --list');
  if (typeof choice.proof === 'string')
    throw new UsageInvalidError('--proof of an archive writes beside each text: name no file');
  const { metadata } = await fieldsOf(choice);
  return attestArchive(session, paths, choice, { metadata });
}

async function submit(session: Session, path: string, choice: AttestChoice): Promise<CommandAnswer> {
  const proofPath = choice.proof && pathOfProof(choice.proof, path);
  const { content, hidden } = choice.exactText
    ? await readExactContent(path, session)
    : { content: await readContent(path, session), hidden: [] };
  const fields = await fieldsOf(choice);
  const acceptance = await attestContent(session, content, fields);
  const { created, attestation } = acceptance;
  const { id, status } = attestation;
  const notes = [...hiddenNotes(hidden), ...(await notTaken(session, acceptance, fields))];
  const follow = `imprimatur status ${id} --wait`;
  if (!choice.wait) {
    const hint = status === 'confirmed' ? '' : `\n\nfollow it with: ${follow}`;
    return { json: { ...attestation, created }, text: `${attestationText(attestation)}${hint}`, notes };
  }
  const outcome = await awaitOutcome(session, choice, { id, again: follow }, (options) =>
    session.client.waitUntilConfirmed(id, options),
  );
  const explorer = await explorerLink(session, outcome);
  const see = explorer === undefined ? '' : `see it at: ${inOneLine(explorer)}\n`;
  const text = `${attestationText(outcome)}\n\n${see}verify it with: ${verifyWords(path, choice)} --reference ${referenceOf(outcome)}`;
  const told = { ...outcome, created, explorer };
  if (!proofPath) return { json: told, text, notes };
  const proof = await session.client.proof(id, { signal: session.signal });
  await writeProof(proofPath, proof, outcome);
  const json = { ...told, proof: proofPath };
  return { json, text: `${text}\n\nits proof is in ${proofPath}`, notes };
}

/** The reveal in the chain's explorer; `undefined` where none is known. The attestation is as good without a link. */
async function explorerLink(
  { client, signal }: Session,
  { chainId, revealTxHash }: Attestation,
): Promise<string | undefined> {
  if (revealTxHash === undefined) return undefined;
  const chains = await client.chains({ signal }).catch(() => []);
  const explorer = chains.find((chain) => chain.chainId === chainId)?.explorerUrl;
  return explorer !== undefined && /^https?:\/\//.test(explorer)
    ? `${explorer.replace(/\/$/, '')}/tx/${revealTxHash}`
    : undefined;
}

/** A path as a shell takes it for one word. */
const shellWord = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

function verifyWords(path: string, { exactText }: AttestChoice): string {
  if (!exactText) return `imprimatur verify ${shellWord(path)}`;
  return `imprimatur text ${shellWord(path)} | imprimatur verify -`;
}

async function fieldsOf({ chain, url, metadata, exactText }: AttestChoice): Promise<AttestFields> {
  const given = metadata === undefined ? undefined : await readJsonObject(metadata);
  const profile = exactText && { textProfile: exactTextProfile };
  return { chainId: chain, url, metadata: given || profile ? { ...given, ...profile } : undefined };
}
