import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { checkout } from '../local/checkout.ts';

/** Output of npm: a report, or the reason why there is none, with the status of the registry's answer if it gave one. */
const answerSchema = z.union([
  z.object({
    metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }),
    vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
  }),
  z.object({ message: z.string(), statusCode: z.number().optional() }),
]);

type Answer = z.infer<typeof answerSchema>;

/** Exit code of a check that could not be made. */
const notMade = 3;

const grave = ['high', 'critical'];

/** Answers of a registry that audits nothing, as mirrors do: not found, method not allowed, not implemented. */
const auditsNothing = [404, 405, 501];

const help = `node tools/audit-dependencies.ts [--required]

Asks the npm registry for known vulnerabilities of the locked packages. Exit 0: none that is grave. Exit 1: grave ones, or
the registry answered with an error. Exit ${notMade}: it could not be asked, or audits nothing; with --required, as for a
release, that is exit 1 too.`;

function ask(): Answer {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: checkout, encoding: 'utf8' });
  try {
    return answerSchema.parse(JSON.parse(stdout));
  } catch {
    return { message: 'npm audit gave no report: run it by hand', statusCode: 200 };
  }
}

/** Tells what the answer says, and gives the exit code. */
function judge(answer: Answer, isRequired: boolean): number {
  if (!('message' in answer)) {
    const findings = Object.entries(answer.vulnerabilities)
      .filter(([, { severity }]) => grave.includes(severity))
      .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
    console.log([...findings, `${findings.length} grave vulnerabilities known`].join('\n'));
    return findings.length > 0 ? 1 : 0;
  }
  const { message, statusCode } = answer;
  console.log(`NOT AUDITED: ${message}`);
  const couldBeAsked = statusCode !== undefined && !auditsNothing.includes(statusCode);
  return couldBeAsked || isRequired ? 1 : notMade;
}

const { values } = parseArgs({ options: { required: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) console.log(help);
else process.exitCode = judge(ask(), values.required ?? false);
