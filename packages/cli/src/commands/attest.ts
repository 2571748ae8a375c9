import { type Command, Option } from 'commander';
import {
  type Attestation,
  type AttestFields,
  type ConfirmedAttestation,
  referenceOf,
} from 'imprimatur-client';
import { helpText } from 'imprimatur-terminal/help';
import { printableLine } from 'imprimatur-terminal/text';
import { exactTextProfile } from 'imprimatur-verifier';
import { attestArchive } from '../archive/attest-archive.ts';
import type { ArchiveOptions } from '../archive/steps.ts';
import { collect, parseArticleUrl, parseChainId, parseConcurrency } from '../arguments.ts';
import { attestContent, ignoredNotes } from '../attest-content.ts';
import { UsageInvalidError } from '../errors.ts';
import { hiddenNotes, readExactContent } from '../files/exact-content.ts';
import { namesSeveral } from '../files/find-files.ts';
import { readContent, readJsonObject } from '../files/read-content.ts';
import { parseProofPath, pathOfProof, writeProof } from '../files/write-proof.ts';
import { waitExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import { attestationText } from '../text.ts';
import { findProviders } from '../verifying/providers.ts';
import { addWaitOptions, awaitOutcome, type WaitFlags } from '../wait.ts';

interface AttestOptions extends WaitFlags {
  readonly chain?: number;
  readonly url?: string;
  readonly metadata?: string;
  /** `true` without a path: write it beside the text. */
  readonly proof?: string | true;
  readonly exactText?: true;
}

type AnyOptions = AttestOptions & ArchiveOptions;

const proofHelp = 'write the proof file (default: article.proof.json); implies --wait';

const help = helpText({
  notes: `The file must be UTF-8, at most 1,048,576 bytes. It is attested byte for byte.
Attesting the same content again returns the same attestation, or a new one if
it failed.

Several files, a folder (its .md, .markdown and .txt files), a quoted pattern or
--list make an archive. With --dry-run, --yes or --link-corrections, even a
single file is treated as an archive. The manifest records progress: run the
same command again to resume. An archive waits until all texts are confirmed,
unless you pass --no-wait, and exits with 1 if a file failed.`,
  examples: [
    'imprimatur attest article.md --proof',
    "imprimatur attest 'articles/**/*.md' --dry-run",
    'imprimatur attest --list articles.csv --yes',
  ],
  exitCodes: waitExitCodes,
});

export function attest(program: Command, run: RunCommand): void {
  const command = program
    .command('attest')
    .description('Attest a text, or an archive of texts.')
    .argument('[file...]', 'text, or - for stdin; several files, folders or patterns make an archive')
    .option('--chain <id>', "chain (default: your organization's)", parseChainId)
    .option('--url <url>', 'URL of the article; for an archive, use --list', parseArticleUrl)
    .option('--metadata <file>', 'JSON object for the service to store, never on-chain')
    .option('--exact-text', 'attest the output of imprimatur text, and add its profile to the metadata')
    .addOption(new Option('--proof [file]', proofHelp).argParser(parseProofPath).implies({ wait: true }))
    .option('--list <file>', 'archive: CSV or JSON lines with url and file')
    .option('--manifest <file>', 'manifest of an archive', 'imprimatur.lock.jsonl')
    .option('--dry-run', 'show what would be attested, the cost and the time')
    .option('--yes', 'do not ask for confirmation')
    .option('--concurrency <n>', 'texts to send at the same time', parseConcurrency, 8)
    .option('--link-corrections', 'link earlier attestations of a changed file to the new one')
    .option('--rpc <url>', 'RPC provider for the gas price of an estimate; repeatable', collect)
    .addHelpText('after', help);
  addWaitOptions(command, 'it is confirmed', 'default: 900, archives: none')
    .option('--no-wait', 'archive: exit when all texts are sent')
    .action((paths: string[], options: AnyOptions) => run((session) => attestPaths(session, paths, options)));
}

async function attestPaths(session: Session, paths: string[], options: AnyOptions): Promise<CommandResult> {
  const [path, ...others] = paths;
  const { list, dryRun, yes, linkCorrections } = options;
  const isArchive = list !== undefined || dryRun || yes || linkCorrections;
  if (path === undefined && !isArchive) throw new UsageInvalidError("missing required argument 'file'");
  if (path !== undefined && !isArchive && others.length === 0 && !namesSeveral(path))
    return submit(session, path, options);
  if (path === undefined && list === undefined)
    throw new UsageInvalidError('missing files; name files, a folder, a pattern or --list');
  if (options.url !== undefined)
    throw new UsageInvalidError('--url works for one text only; for an archive, put the URLs in --list');
  if (typeof options.proof === 'string')
    throw new UsageInvalidError('--proof takes no file name for an archive; it writes beside each text');
  const { metadata } = await fieldsOf(options);
  return attestArchive(session, paths, options, { metadata });
}

async function submit(session: Session, path: string, options: AttestOptions): Promise<CommandResult> {
  const proofPath = options.proof && pathOfProof(options.proof, path);
  const { content, hidden } = options.exactText
    ? await readExactContent(path, session)
    : { content: await readContent(path, session), hidden: [] };
  const fields = await fieldsOf(options);
  const acceptance = await attestContent(session, content, fields);
  const { created, attestation } = acceptance;
  const { id, status } = attestation;
  const notes = [...hiddenNotes(hidden), ...(await ignoredNotes(session, acceptance, fields))];
  const statusCommand = `npx imprimatur status ${id} --wait`;
  if (!options.wait) {
    const hint = status === 'confirmed' ? '' : `\n\nto wait for it: ${statusCommand}`;
    return { json: { ...attestation, created }, text: `${attestationText(attestation)}${hint}`, notes };
  }
  const outcome = await awaitOutcome(session, options, { id, statusCommand }, (wait) =>
    session.client.waitUntilConfirmed(id, wait),
  );
  const explorer = await explorerLink(session, outcome);
  const explorerLine = explorer === undefined ? '' : `explorer: ${printableLine(explorer)}\n`;
  const text = `${attestationText(outcome)}\n\n${explorerLine}to verify it: ${verifyCommandLine(path, options, outcome)}`;
  const json = { ...outcome, created, explorer };
  if (!proofPath) return { json, text, notes };
  const proof = await session.client.proof(id, { signal: session.signal });
  await writeProof(proofPath, proof, outcome);
  return { json: { ...json, proof: proofPath }, text: `${text}\n\nproof file: ${proofPath}`, notes };
}

/** Returns the explorer's link to the reveal, if known. Ignores errors, because the result is complete without it. */
async function explorerLink({ client, signal }: Session, { chainId, revealTxHash }: Attestation) {
  if (revealTxHash === undefined) return undefined;
  const chains = await client.chains({ signal }).catch(() => []);
  const explorer = chains.find((chain) => chain.chainId === chainId)?.explorerUrl;
  return explorer !== undefined && /^https?:\/\//.test(explorer)
    ? `${explorer.replace(/\/$/, '')}/tx/${revealTxHash}`
    : undefined;
}

const shellWord = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

function verifyCommandLine(
  path: string,
  { exactText }: AttestOptions,
  attestation: ConfirmedAttestation,
): string {
  const file = shellWord(path);
  const verify = exactText
    ? `npx imprimatur text ${file} | npx imprimatur verify -`
    : `npx imprimatur verify ${file}`;
  // `verify` knows public providers of some chains only.
  const rpc = findProviders(undefined, attestation.chainId).length > 0 ? '' : ' --rpc "$RPC_URL"';
  return `${verify} --reference ${referenceOf(attestation)}${rpc}`;
}

async function fieldsOf({ chain, url, metadata, exactText }: AttestOptions): Promise<AttestFields> {
  const fromFile = metadata === undefined ? undefined : await readJsonObject(metadata);
  const profile = exactText && { textProfile: exactTextProfile };
  return { chainId: chain, url, metadata: fromFile || profile ? { ...fromFile, ...profile } : undefined };
}
