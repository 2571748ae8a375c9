import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { checkout, searchPath } from '../../local/checkout.ts';
import { findPython } from '../../local/emulator/find-python.ts';
import { installPackages, type PythonPackages } from '../../local/emulator/install-packages.ts';
import { raceWithStop } from '../../local/process/stop-request.ts';
import { Supervisor } from '../../local/process/supervise.ts';
import { localClient } from '../../local/stack/local-client.ts';
import { PlainError } from '../../local/terminal/plain-error.ts';
import { type FuzzReport, joinReports, readReport } from './report.ts';

const schemathesis: PythonPackages = {
  name: 'schemathesis',
  requirementsPath: `${checkout}/test/fuzz/requirements.txt`,
  modules: ['schemathesis.cli'],
};

/** Seconds of one run, at about eight cases a second on a local stack. Several runs may be needed. */
const secondsFor = (cases: number) => Math.min(300, Math.max(40, Math.ceil(cases / 8)));

/** Longer than a person would wait for an attestation. */
const confirmationSeconds = 600;

export interface Fuzzing {
  /** Base URL of the API, without `/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Directory of configuration, output and report; one run at a time may use it. */
  readonly directory: string;
  readonly cases: number;
  readonly seed: number | undefined;
  readonly log: (line: string) => void;
  /** Ends the run, and everything that was started. */
  readonly signal?: AbortSignal;
}

/** Fuzzes a running service with requests from its own API document, with all checks in all phases. */
export async function fuzz(fuzzing: Fuzzing): Promise<FuzzReport> {
  const supervisor = await Supervisor.open(fuzzing.directory);
  try {
    return await raceWithStop(fuzzing.signal, fuzzWith(supervisor, fuzzing));
  } finally {
    await supervisor.stop();
  }
}

async function fuzzWith(supervisor: Supervisor, fuzzing: Fuzzing): Promise<FuzzReport> {
  const { directory, apiUrl, log } = fuzzing;
  const python = await installPackages(schemathesis, { supervisor, python: findPython(), log });
  writeFileSync(`${directory}/schemathesis.toml`, configuration(await knownValues(fuzzing)));
  log(`fuzzing ${apiUrl}; the output of schemathesis is in ${directory}/output.log`);
  return runAll(supervisor, python, fuzzing);
}

async function knownValues({ log, ...target }: Fuzzing): Promise<KnownValues> {
  log('attesting two articles for links');
  const client = localClient(target);
  const contents = [1, 2].map((number) => `An article to be linked, ${number}: ${crypto.randomUUID()}`);
  const created = await Promise.all(contents.map((content) => client.attest(content)));
  const wait = { timeoutSeconds: confirmationSeconds };
  const attestations = await Promise.all(
    created.map(({ attestation: { id } }) => client.waitUntilConfirmed(id, wait)),
  );
  return { chainId: attestations[0]?.chainId ?? 0, attestationIds: attestations.map(({ id }) => id) };
}

/** Repeats runs until there are enough cases or a failure. Chains of requests have no end, so time ends a run. */
async function runAll(supervisor: Supervisor, python: string, fuzzing: Fuzzing): Promise<FuzzReport> {
  const { cases, seed, log } = fuzzing;
  let report: FuzzReport | undefined;
  for (let round = 0; !report || (report.failures.length === 0 && report.cases < cases); round++) {
    const next = await run(supervisor, python, {
      ...fuzzing,
      seed: seed === undefined ? seed : seed + round,
    });
    report = report ? joinReports(report, next) : next;
    log(`${report.cases} cases, ${report.failures.length} failures`);
  }
  return report;
}

async function run(
  supervisor: Supervisor,
  python: string,
  { directory, apiUrl, apiKey, cases, seed, log }: Fuzzing,
): Promise<FuzzReport> {
  const reportPath = `${directory}/report.json`;
  const logPath = `${directory}/output.log`;
  rmSync(reportPath, { force: true });
  // All checks and all phases run unless the configuration excludes some.
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', `${directory}/schemathesis.toml`, 'run'],
    ...[`${apiUrl}/openapi.json`, '--url', apiUrl, '--max-time', String(secondsFor(cases))],
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...['--report', 'json', '--report-json-path', reportPath, '--no-color'],
  ];
  const env = { PATH: searchPath, HOME: process.env.HOME ?? '/', IMPRIMATUR_API_KEY: apiKey };
  // The exit status is not read: the report has the failures too.
  await supervisor.run({ name: 'schemathesis', command: python, args, env, logPath, cwd: directory });
  if (!existsSync(reportPath))
    throw new PlainError(`schemathesis wrote no report. See the end of ${logPath}.`);
  const report = readReport(readFileSync(reportPath, 'utf8'));
  // The report has only the titles of failures, and the next run replaces the output.
  if (report.failures.length > 0) log(readFileSync(logPath, 'utf8'));
  return report;
}

/** Values that random requests would not find: a chain that is served, and attestations that can be linked. */
interface KnownValues {
  readonly chainId: number;
  readonly attestationIds: readonly string[];
}

/** The configuration as TOML. Schemathesis reads the key from the environment, where no list of processes shows it. */
function configuration({ chainId, attestationIds }: KnownValues): string {
  // A JSON string, number or list of them is valid TOML too.
  const ids = JSON.stringify(attestationIds);
  return `continue-on-failure = true
request-timeout = 60

[auth.openapi.bearer]
bearer = "\${IMPRIMATUR_API_KEY}"

[auth.openapi.apiKey]
api_key = "\${IMPRIMATUR_API_KEY}"

# No document can say that two ids must differ: linking an attestation to itself is a 400.
[[operations]]
include-operation-id = "linkChild"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "429"]

# No document can say that a cursor must come from a list with the same filters: any other is a 400.
[[operations]]
include-operation-id = "listAttestations"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "429"]

# No document can say that a passage must be in the text: any other is a 422.
[[operations]]
include-operation-id = "quotePassage"
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "409", "422", "429"]

[dictionaries.chains]
values = [${chainId}]

[dictionaries.attestations]
values = ${ids}

[parameters]
"body.chainId" = { dictionary = "chains", probability = 0.7 }
"path.id" = { dictionary = "attestations", probability = 0.5 }
"body.childAttestationId" = { dictionary = "attestations", probability = 0.5 }

[generation]
database = "none"
no-shrink = true
max-examples = 50
`;
}
