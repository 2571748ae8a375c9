import { spawnSync } from 'node:child_process';
import * as z from 'zod';
import { checkout } from '../local/checkout.ts';

/** Output of npm: a report, or the reason why there is none. */
const answerSchema = z.union([
  z.object({
    metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }),
    vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
  }),
  z.object({ message: z.string() }),
]);

const grave = ['high', 'critical'];

/** Finds the locked packages with a grave known vulnerability; undefined when the registry cannot answer. */
function graveFindings(): string[] | undefined {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: checkout, encoding: 'utf8' });
  const answer = answerSchema.parse(JSON.parse(stdout));
  if ('message' in answer) {
    console.log(`not audited: ${answer.message}`);
    return undefined;
  }
  return Object.entries(answer.vulnerabilities)
    .filter(([, { severity }]) => grave.includes(severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
}

const findings = graveFindings();
if (findings) console.log([...findings, `${findings.length} grave vulnerabilities known`].join('\n'));
process.exitCode = findings && findings.length > 0 ? 1 : 0;
