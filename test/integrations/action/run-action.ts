import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const action = fileURLToPath(new URL('../../../integrations/action', import.meta.url));

/** The parts of `action.yml` that a runner uses. */
export function readAction() {
  const file = readFileSync(`${action}/action.yml`, 'utf8');
  const [, inputs = '', outputs = '', runs = ''] =
    /^inputs:\n([\s\S]*?)\noutputs:\n([\s\S]*?)\nruns:\n([\s\S]*)$/m.exec(file) ?? [];
  const parts = (section: string) =>
    [...section.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n?)*)/gm)].map(([, name = '', body = '']) => ({
      name,
      default: /^ {4}default: "?(.*?)"?$/m.exec(body)?.[1] ?? '',
    }));
  return {
    inputs: parts(inputs),
    outputs: parts(outputs).map(({ name }) => name),
    main: /^ {2}main: (.*)$/m.exec(runs)?.[1] ?? '',
  };
}

export interface ActionRun {
  readonly exitCode: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface ActionStep {
  readonly with: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly workspace: string;
}

/** Parses the output file like a runner. */
function outputsIn(file: string): Record<string, string> {
  const found = [...file.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2\n/gm)];
  return Object.fromEntries(found.map(([, name = '', , value = '']) => [name, value]));
}

/** Runs the action like a step of GitHub's runner, with inputs in variables and outputs in files. */
export async function runAction({ with: given, event = 'push', workspace }: ActionStep): Promise<ActionRun> {
  const { inputs, main } = readAction();
  const unknown = Object.keys(given).filter((name) => !inputs.some((input) => input.name === name));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown}`);
  const files = mkdtempSync(join(tmpdir(), 'runner-'));
  onTestFinished(() => rmSync(files, { recursive: true }));
  const [output, summary] = [`${files}/output`, `${files}/summary`];
  for (const path of [output, summary]) writeFileSync(path, '');
  const values = inputs.map((input) => [
    `INPUT_${input.name.toUpperCase()}`,
    given[input.name] ?? input.default,
  ]);
  const child = spawn(process.execPath, [join(action, main)], {
    cwd: workspace,
    env: {
      ...{ PATH: process.env.PATH, HOME: files, RUNNER_TEMP: files, GITHUB_WORKSPACE: workspace },
      ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_EVENT_NAME: event },
      ...Object.fromEntries(values),
    },
  });
  const [out, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return {
    exitCode,
    log: out + errors,
    outputs: outputsIn(readFileSync(output, 'utf8')),
    summary: readFileSync(summary, 'utf8'),
  };
}
