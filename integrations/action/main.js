// GitHub's runner starts this action with its own Node. The action installs the dependencies of the publisher's command
// by the hashes of the lockfile, and runs the command.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const { env } = process;
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const lines = (value) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Splits paths at line endings, or a single line at commas. Commas in brackets do not separate, nor do those in a line
 * that is the name of an existing file.
 */
function paths(value) {
  const entries = lines(value);
  const [only = ''] = entries;
  if (entries.length !== 1 || existsSync(only)) return entries;
  return lines(only.replaceAll(/,(?![^{]*\}|[^[]*\])/g, '\n'));
}

/** Escapes data for a workflow command. */
const escapeData = (value) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (value) => escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotate = (kind, message) => console.log(`::${kind}::${escapeData(message)}`);

/** Environment for other programs, without the key and other inputs. */
const plainEnvironment = Object.fromEntries(
  Object.entries(env).filter(([name]) => !name.startsWith('INPUT_')),
);

/** Installs dependencies. npm writes `.package-lock.json` last, so the file shows a complete installation. */
function install() {
  if (existsSync(join(checkout, 'node_modules/.package-lock.json'))) return;
  const args = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: checkout, env: plainEnvironment, stdio: ['ignore', 'ignore', 'inherit'] });
}

const isPullRequest = /^(pull_request|merge_group)/.test(env.GITHUB_EVENT_NAME ?? '');

/** Makes the arguments. A pull request only shows what would be attested, because its texts are not published yet. */
function commandLine() {
  const options = [
    ['--chain', input('chain-id')],
    ['--list', input('list')],
    ['--manifest', input('manifest')],
    ['--timeout', input('timeout-seconds')],
  ].filter(([, value]) => value !== '');
  const modeOptions = isPullRequest ? ['--dry-run'] : ['--yes', '--proof', '--link-corrections'];
  return ['attest', '--json', ...modeOptions, ...options.flat(), '--', ...paths(input('subject-path'))];
}

async function runCommand() {
  const command = spawn(
    process.execPath,
    [join(checkout, 'packages/cli/bin/imprimatur.js'), ...commandLine()],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...plainEnvironment, IMPRIMATUR_URL: input('api-url'), IMPRIMATUR_API_KEY: input('api-key') },
    },
  );
  process.on('SIGINT', () => command.kill('SIGINT'));
  process.on('SIGTERM', () => command.kill('SIGTERM'));
  const exited = new Promise((resolve) => command.on('exit', (code) => resolve(code ?? 1)));
  const [out, exitCode] = await Promise.all([text(command.stdout), exited]);
  return { exitCode, answer: out === '' ? {} : JSON.parse(out) };
}

const readManifest = () => {
  const path = input('manifest');
  return existsSync(path) ? lines(readFileSync(path, 'utf8')) : [];
};

/** Sets an output, which may have several lines. */
function setOutput(name, value) {
  const end = randomUUID();
  appendFileSync(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`);
}

/** Writes the proofs of these entries to a file, one per line. */
function writeBundle(entries) {
  const folder = dirname(input('manifest'));
  const proofs = entries.flatMap(({ proof }) => (proof === undefined ? [] : [join(folder, proof)]));
  const path = join(env.RUNNER_TEMP, `imprimatur-${randomUUID()}.jsonl`);
  const bundle = proofs.map((proof) => `${JSON.stringify(JSON.parse(readFileSync(proof, 'utf8')))}\n`);
  writeFileSync(path, bundle.join(''));
  return path;
}

const cell = (value) =>
  String(value).replace(/[\\|`<>&*_[\]\r\n]/g, (character) => `&#${character.codePointAt(0)};`);

function summarize(entries, { faults = [] }) {
  if (input('show-summary').toLowerCase() === 'false' || !env.GITHUB_STEP_SUMMARY) return;
  const rows = entries.map(({ file, status, contentCid, id }) => [file, status, contentCid, id]);
  const table = [
    ['Text', 'Status', 'CID', 'Attestation'],
    ['---', '---', '---', '---'],
  ];
  const text = [...table, ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |\n`);
  const failed = faults.map(({ file, error }) => `- ${cell(file)}: ${cell(error)}\n`);
  const summary = rows.length === 0 ? ['No text is new or changed.\n'] : text;
  appendFileSync(env.GITHUB_STEP_SUMMARY, `### Attested texts\n\n${summary.join('')}\n${failed.join('')}`);
}

async function main() {
  const linesBefore = new Set(readManifest());
  // The output contains file names, which the runner must not interpret as commands.
  const token = randomUUID();
  console.log(`::stop-commands::${token}`);
  const { exitCode, answer } = await runCommand().finally(() => console.log(`::${token}::`));
  const changed = readManifest()
    .filter((line) => !linesBefore.has(line))
    .map((line) => JSON.parse(line));
  setOutput('attestation-id', changed.map(({ id }) => id).join('\n'));
  setOutput('bundle-path', writeBundle(changed));
  if (!isPullRequest) summarize(changed, answer);
  else if (exitCode === 0)
    annotate('notice', `${answer.toAttest} of ${answer.texts} texts would be attested.`);
  for (const { file, error } of answer.faults ?? [])
    console.log(`::error file=${escapeProperty(file)}::${escapeData(error)}`);
  if (exitCode === 3)
    annotate(
      'warning',
      'Some texts are not confirmed yet. The service continues, and the next run checks again.',
    );
  else if (exitCode !== 0) annotate('error', answer.error ?? 'Not every text was attested.');
  return exitCode === 3 ? 0 : exitCode;
}

if (input('api-key') !== '') console.log(`::add-mask::${input('api-key')}`);
if (input('api-key') === '' && isPullRequest) {
  annotate('notice', 'There is no API key, as in every pull request from a fork, so nothing was attested.');
  setOutput('attestation-id', '');
  setOutput('bundle-path', '');
} else if (input('api-key') === '' || input('api-url') === '' || lines(input('subject-path')).length === 0) {
  annotate('error', 'Set subject-path, api-url and api-key. Store the key as a secret of the repository.');
  process.exitCode = 1;
} else {
  try {
    install();
    process.exitCode = await main();
  } catch (error) {
    // The message of the error can contain the command, its output or an environment variable.
    annotate(
      'error',
      `The command could not be run (${error.code ?? error.name}). The first run requires npm and its registry.`,
    );
    process.exitCode = 1;
  }
}
