import { setTimeout as wait } from 'node:timers/promises';
import type { Progress } from 'imprimatur-terminal/progress';
import { table } from 'imprimatur-terminal/text';
import { operatorErrorLine } from '../error-line.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import type { Finding, Setup, Step } from './step.ts';

export interface FoundStep {
  readonly name: string;
  readonly finding: Finding;
}

/** Looks at every step. */
export async function planSteps(steps: readonly Step[], setup: Setup): Promise<FoundStep[]> {
  const found: FoundStep[] = [];
  for (const { name, look } of steps) found.push({ name, finding: await look(setup) });
  return found;
}

export const isComplete = (found: readonly FoundStep[]): boolean =>
  found.every(({ finding }) => finding.state === 'done');

export function planText({ account, environment }: Setup, found: readonly FoundStep[]): string {
  const { target, stackName } = account;
  const title =
    target.kind === 'local'
      ? `Target: local emulator of npm start at ${target.endpointUrl}, stack ${stackName}. To act on AWS, add --stack NAME.`
      : `Target: AWS account ${environment.account} in ${environment.region}, stack ${stackName}.`;
  const rows = found.map(({ name, finding }) => [
    ...[name, finding.state, finding.text],
    'cost' in finding ? (finding.cost ?? '') : '',
  ]);
  return `${title}\n\n${table(['STEP', 'STATE', 'WHAT', 'COST'], rows)}`;
}

/** Instructions of all steps that wait for somebody else. */
export const instructionsText = (found: readonly FoundStep[]): string =>
  found
    .flatMap(({ name, finding }) => (finding.state === 'waiting' ? [`${name}: ${finding.instructions}`] : []))
    .join('\n\n');

/** Number of looks for a change before setup makes it again. An answer may come from a node that is behind. */
const maxLooks = 10;

/** A step may find at its next look that an earlier run's transaction made its change, or that the change is still missing. */
const maxActs = 3;

const pollMilliseconds = 5_000;
const lookMilliseconds = 3_000;

interface Run {
  readonly progress: Progress;
  /** Whether to wait until somebody else has acted. Otherwise, the step stays open. */
  readonly waits: boolean;
  /** How to pause between two looks while setup waits (default: a timer). */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Does the steps in order. @returns what each step found last @throws CommandFailedError if a change has no effect */
export async function doSteps(steps: readonly Step[], setup: Setup, run: Run): Promise<FoundStep[]> {
  const found: FoundStep[] = [];
  for (const step of steps) {
    const isBlocked = step.needsAll && !isComplete(found);
    const finding = isBlocked ? await step.look(setup) : await doStep(step, setup, run);
    found.push({ name: step.name, finding });
    run.progress.print(`${finding.state.padEnd(7)}  ${step.name}: ${finding.text}`);
  }
  return found;
}

/** While somebody else has to act, an error may come from the network, so it does not end the wait. */
async function doStep(
  { name, look }: Step,
  setup: Setup,
  { progress, waits, pause = wait }: Run,
): Promise<Finding> {
  let [acts, isWaiting, lastError] = [0, false, ''];
  let finding = await look(setup);
  for (;;) {
    if (finding.state === 'to do') {
      if (acts++ === maxActs)
        throw new CommandFailedError(`${name}: still missing after ${maxActs} attempts`);
      progress.showStep(`doing    ${name}: ${finding.text}`);
      await finding.act();
      finding = await lookForChange(() => look(setup));
    } else if (finding.state === 'waiting' && waits) {
      if (!isWaiting) progress.print(`${name}: ${finding.instructions}`);
      if (!isWaiting) progress.showStep(`waiting  ${name}: ${finding.text}`);
      isWaiting = true;
      await pause(pollMilliseconds);
      finding = await look(setup).catch((error: unknown) => {
        const line = operatorErrorLine(error, setup.account.target);
        if (line !== lastError) progress.print(`${name}: the check failed, and setup repeats it: ${line}`);
        lastError = line;
        return finding;
      });
    } else return finding;
  }
}

async function lookForChange(look: () => Promise<Finding>): Promise<Finding> {
  for (let looks = 1; ; looks++) {
    const finding = await look();
    if (finding.state !== 'to do' || looks === maxLooks) return finding;
    await wait(lookMilliseconds);
  }
}
