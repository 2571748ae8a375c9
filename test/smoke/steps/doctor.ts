import { demand } from '../demand.ts';
import { onlyAws, type Scene } from '../scene.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
}

/** Findings of a report of `admin doctor --json`. */
export function findingsOf(json: Record<string, unknown>): Finding[] {
  const sections = json.sections as readonly { readonly findings: readonly Finding[] }[];
  return sections.flatMap(({ findings }) => findings);
}

/** `admin doctor` finds nothing wrong with what now runs. */
export async function doctor(scene: Scene): Promise<void> {
  scene.waitFor('admin doctor');
  const { exitCode, json } = await scene.askAdmin('doctor');
  const findings = findingsOf(json);
  const problems = findings.filter(({ state }) => state === 'problem');
  const said = problems.map(({ check, says }) => `${check}: ${says}`).join('; ');
  demand(problems.length === 0, `doctor finds ${said}`);
  demand(exitCode !== 2, 'doctor could not ask everything');
  scene.proven(`doctor finds no problem in ${findings.filter(({ state }) => state === 'ok').length} checks`);
  if (!scene.place.isAws)
    scene.notProven('quotas, logging role and running versions of state machines', onlyAws.versions);
}
