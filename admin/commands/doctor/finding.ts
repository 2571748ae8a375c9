/** State of what a check looked at. A check that was not made says why. */
export type State = 'ok' | 'warning' | 'problem' | 'not asked';

/** Outcome of a check: one line for the operator. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  readonly state: State;
  /** What was found, or why it was not asked. */
  readonly says: string;
  /** What the operator has to do; `null` when there is nothing to do. */
  readonly todo: string | null;
  /** Set where the answer was wanted and did not come, say for want of a permission: then nothing is known. */
  readonly failed?: true;
}

/** Findings of one part of a deployment. */
export interface Section {
  readonly title: string;
  /** The chain that the section is of. */
  readonly chainId?: number;
  readonly findings: readonly Finding[];
}

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, todo: null };
}

/** Makes a finding that does not stop the service. */
export function warning(check: string, says: string, todo: string): Finding {
  return { check, state: 'warning', says, todo };
}

/** Makes a finding with which the service does not work, or does not deploy. */
export function problem(check: string, says: string, todo: string): Finding {
  return { check, state: 'problem', says, todo };
}

/** Makes the finding of a check that does not apply here, or not yet. */
export function notAsked(check: string, says: string, todo: string | null = null): Finding {
  return { check, state: 'not asked', says, todo };
}

/** Makes the finding of a check whose answer did not come. */
export function unanswered(check: string, says: string, todo: string): Finding {
  return { check, state: 'not asked', says, todo, failed: true };
}

/** Exit code for pipelines: 1 with a problem, 2 when something could not be asked, otherwise 0. */
export function exitCodeOf(sections: readonly Section[]): 0 | 1 | 2 {
  const findings = sections.flatMap((section) => section.findings);
  if (findings.some(({ state }) => state === 'problem')) return 1;
  return findings.some(({ failed }) => failed) ? 2 : 0;
}
