import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { type ConfirmedAttestation, referenceOf } from 'imprimatur-client';
import { Progress } from 'imprimatur-terminal/progress';
import { checkout } from '../checkout.ts';
import { raceWithStop, reportFailure, stopRequest } from '../process/stop-request.ts';
import { localClient } from '../stack/local-client.ts';
import { readArticle } from '../stack/read-article.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { type StackFile, stackFilePath } from '../stack/stack-file.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { type StartOptions, startProgram } from './options.ts';
import { authorityExample, readerExample, type ServedPages, servePages } from './serve-pages.ts';

const quote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * Lists commands to paste into a shell. They read the key and the RPC URL from stack.json, because terminals are copied
 * and logged.
 */
function examples(
  directory: string,
  stack: StackFile,
  attestation: ConfirmedAttestation,
  articlePath: string,
): string {
  const node = quote(`${checkout}/node_modules/.bin/node`);
  const read = (field: string) =>
    `$(${node} -p 'JSON.parse(fs.readFileSync(process.argv[1])).${field}' ${quote(stackFilePath(directory))})`;
  const article = quote(relative(process.cwd(), articlePath));
  const attestationUrl = `"$API/v1/attestations/${attestation.id}`;
  return `export IMPRIMATUR_URL=${quote(stack.apiUrl)}
export IMPRIMATUR_API_KEY="${read('apiKey')}"
export RPC_URL="${read('rpcUrl')}"
API="$IMPRIMATUR_URL"
AUTH="Authorization: Bearer $IMPRIMATUR_API_KEY"

# create
curl -sw '\\n' -H "$AUTH" "$API/v1/attestations" -d '{"content":"A second article, newer than the first."}'

# get, list
curl -sw '\\n' -H "$AUTH" ${attestationUrl}"
curl -sw '\\n' -H "$AUTH" "$API/v1/attestations?limit=2"

# link the newer article to the first one, as its child
CHILD=$(curl -s -H "$AUTH" "$API/v1/attestations" -d '{"content":"A second article, newer than the first."}' | ${node} -p 'JSON.parse(fs.readFileSync(0)).id')
curl -sw '\\n' -H "$AUTH" ${attestationUrl}/child" -d '{"childAttestationId":"'$CHILD'"}'

# list them with the command
npx imprimatur list

# verify, with data from the chain only
npx imprimatur verify ${article} --rpc "$RPC_URL" \\
  --reference ${referenceOf(attestation)}`;
}

const directory = `${checkout}/.local`;

/** Extra time in seconds for cold functions, two blocks, and sweeps after a lost execution. */
const marginSeconds = 240;

/** Block time of Ethereum in seconds, the longest of common chains. A development chain makes a block per second. */
const maxBlockSeconds = 12;

async function attest(
  { file }: Stack,
  content: string,
  { confirmations }: StartOptions,
  progress: Progress,
): Promise<ConfirmedAttestation> {
  const client = localClient(file);
  const { attestation } = await client.attest(content, {
    url: 'https://example.org/articles/1',
    metadata: { from: 'npm start' },
  });
  return client.waitUntilConfirmed(attestation.id, {
    timeoutSeconds: file.revealDelaySeconds + confirmations * maxBlockSeconds + marginSeconds,
    onProgress: (attestation, elapsedSeconds) => progress.show(attestation, elapsedSeconds),
  });
}

/** Runs the verifier as a separate process: it imports nothing of the service and reads only the chain. */
function runVerifier(
  stack: StackFile,
  attestation: ConfirmedAttestation,
  articlePath: string,
  json: boolean,
) {
  const args = [
    `${checkout}/packages/verifier/src/main.ts`,
    ...['--rpc', stack.rpcUrl],
    ...['--registry', stack.registryAddress],
    ...['--chain', String(attestation.chainId)],
    ...['--authority', attestation.authorityAddress],
    ...['--cid', attestation.contentCid],
    ...['--index', String(attestation.attestationIndex)],
    ...['--file', articlePath],
    ...(json ? ['--json'] : []),
  ];
  return new Promise<{ verified: boolean; output: string }>((done) => {
    execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout, stderr) => {
      done({ verified: error === null, output: (stdout + stderr).trimEnd() });
    });
  });
}

async function attestAndVerify(
  stack: Stack,
  options: StartOptions,
  progress: Progress,
): Promise<ConfirmedAttestation> {
  const log = (line: string) => progress.print(line);
  const path = resolve(options.file);
  const content = readArticle(path);
  log(
    `attesting ${path} (${Buffer.byteLength(content)} bytes) with a reveal delay of ${options.revealDelay} s`,
  );
  const attestation = await attest(stack, content, options, progress);
  progress.showStep('verifying it with data from the chain only');
  const { verified, output } = await runVerifier(stack.file, attestation, path, options.json ?? false);
  if (!verified) throw new PlainError(`The verifier rejects the attestation: ${output}`);
  progress.end();
  if (options.json) {
    console.log(JSON.stringify({ attestation, verification: JSON.parse(output) }));
    return attestation;
  }
  log(`verified by packages/verifier/src/main.ts, with data from the chain only:\n${output}\n`);
  log(`${JSON.stringify(attestation, null, 2)}\n`);
  if (!options.once) log(`${examples(directory, stack.file, attestation, path)}\n`);
  return attestation;
}

const summaryText = ({ file: { apiUrl } }: Stack, { urls }: ServedPages) => `running; press Ctrl-C to stop
  API                ${apiUrl}
  API documentation  ${apiUrl}/docs
  publish a text     ${urls.console}
  verify a text      ${urls.reader}
  delegate           ${urls.authority}
  command line       npx imprimatur --help
  key and addresses  ${stackFilePath(directory)}, with the logs beside it`;

/** Prints how to use the running stack, and waits until the user stops the command. */
async function runUntilStopped(
  stack: Stack,
  pages: ServedPages,
  attestation: ConfirmedAttestation,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  log(`${readerExample(pages, stack.file, attestation)}\n`);
  log(`${authorityExample(pages, stack.file)}\n`);
  log(summaryText(stack, pages));
  if (!signal.aborted) await once(signal, 'abort');
}

async function runStack(options: StartOptions, pages: ServedPages, signal: AbortSignal): Promise<void> {
  const progress = new Progress(options.json ? process.stderr : process.stdout, options.revealDelay);
  const log = (line: string) => progress.print(line);
  const stack = await startStack({
    ...{ ...options, revealDelaySeconds: options.revealDelay, settings: { corsOrigins: [pages.origin] } },
    ...{ directory, variables: process.env, log, signal },
    showStep: (step) => progress.showStep(step),
  }).finally(() => progress.end());
  pages.useService(stack.file.apiUrl);
  try {
    const attestation = await raceWithStop(signal, attestAndVerify(stack, options, progress));
    if (!options.once) await runUntilStopped(stack, pages, attestation, signal, log);
  } finally {
    progress.showStep('stopping');
    await stack.stop();
    progress.end();
  }
}

async function run(options: StartOptions, signal: AbortSignal): Promise<void> {
  // Read the article before the slow start, so that a wrong path fails immediately.
  readArticle(options.file);
  const pages = await servePages(options.port);
  try {
    await runStack(options, pages, signal);
  } finally {
    await pages.close();
  }
}

/** Runs the command, and stops everything that it started. @returns the exit code */
async function start(options: StartOptions): Promise<number> {
  try {
    await run(options, stopRequest());
    return 0;
  } catch (error) {
    return reportFailure(error);
  }
}

await startProgram()
  .action(async (options) => process.exit(await start(options)))
  .parseAsync();
