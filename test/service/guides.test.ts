import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { freePort } from '../../local/process/free-port.ts';
import { newPublisher } from './stack/publisher.ts';
import { stack } from './stack/running-stack.ts';

/**
 * A block of commands in a guide, and its shown output. Blocks that are not marked `sh` need a wallet, a key or a chain that
 * tests do not have.
 */
interface Example {
  readonly commands: string;
  readonly shown?: string;
  readonly isJson: boolean;
}

function examplesOf(path: string): Example[] {
  const blocks = /```sh\n(.*?)```(?:\n\n```(text|json)\n(.*?)```)?/gs;
  return [...readFileSync(path, 'utf8').matchAll(blocks)].map(([, commands = '', language, shown]) => ({
    ...{ commands, isJson: language === 'json' },
    ...(shown !== undefined && { shown }),
  }));
}

const directories: string[] = [];

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

/** Runs blocks in one shell, in a directory of `.local`. @returns the output of each */
async function paste(examples: readonly Example[], variables: NodeJS.ProcessEnv): Promise<string[]> {
  const cwd = mkdtempSync('.local/guide-');
  directories.push(cwd);
  const mark = crypto.randomUUID();
  const script = examples.map(({ commands }) => `${commands}\necho; echo ${mark}\n`).join('');
  const env = { ...process.env, NO_COLOR: '1', ...variables };
  const ending = "trap 'kill $(jobs -p) 2> /dev/null || true' EXIT";
  const bash = ['-c', `set -eu -o pipefail; exec 2>&1; ${ending}\n${script}`];
  const { stdout } = await promisify(execFile)('bash', bash, { cwd, env }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout.split(`${mark}\n`).slice(0, -1);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Pattern of a shown line; `…` matches anything. */
const like = (shown: string) => new RegExp(`^${shown.split('…').map(escaped).join('.*')}$`, 'm');

/**
 * Pattern of a shown object: strings match as in `like`, and further fields are allowed. The attestation index may be
 * any number, because it depends on the tests before.
 */
const alike = (shown: object) =>
  expect.objectContaining(
    Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [
        name,
        typeof value === 'string'
          ? expect.stringMatching(like(value))
          : name === 'attestationIndex'
            ? expect.any(Number)
            : value,
      ]),
    ),
  );

function expectShown({ shown, isJson }: Example, printed: string): void {
  if (shown === undefined) return;
  if (isJson) {
    const last = printed.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toEqual(alike(JSON.parse(shown)));
    return;
  }
  for (const line of shown.trimEnd().split('\n')) expect(printed).toMatch(like(line));
}

async function variablesOfPublisher() {
  const { apiKey, organizationId } = await newPublisher();
  return {
    ...{ IMPRIMATUR_URL: stack.apiUrl, IMPRIMATUR_API_KEY: apiKey, RPC_URL: stack.rpcUrl },
    // The guides on webhooks and delegations need an operator.
    ...{ ORG: organizationId, IMPRIMATUR_STACK_FILE: `${stack.directory}/stack.json` },
    PORT: String(await freePort(undefined, 'PORT')),
  };
}

test.concurrent('the commands of the quickstart print what it shows', async () => {
  // The first block reads the variables of `npm start`.
  const examples = examplesOf('docs/quickstart.md').slice(1);
  const printed = await paste(examples, await variablesOfPublisher());
  expect(printed).toHaveLength(7);
  for (const [position, example] of examples.entries()) expectShown(example, printed[position] ?? '');
});

const attested: Example = {
  commands:
    'echo "To be checked by others. $RANDOM" > article.txt\nnpx imprimatur attest article.txt --proof',
  isJson: false,
};

test.concurrent.each([
  { guide: 'correct', given: [] },
  { guide: 'quote', given: [] },
  { guide: 'verify', given: [attested] },
  { guide: 'webhooks', given: [] },
  { guide: 'archive', given: [] },
  { guide: 'delegate', given: [] },
])('the commands of the guide "$guide" print what it shows', async ({ guide, given }) => {
  const examples = [...given, ...examplesOf(`docs/guides/${guide}.md`)];
  const printed = await paste(examples, await variablesOfPublisher());
  expect(examples.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(2);
  for (const [position, example] of examples.entries()) expectShown(example, printed[position] ?? '');
});

/** Parses YAML with the emulator's Python, which has a complete parser. */
function parseYaml(text: string): unknown {
  const [python = ''] = globSync('.local/python-*/bin/python');
  const program = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)';
  return JSON.parse(execFileSync(python, ['-c', program], { input: text, encoding: 'utf8' }));
}

const stepsForm = z.array(
  z.looseObject({
    id: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.string()).optional(),
  }),
);
const workflowForm = z.looseObject({ jobs: z.looseObject({ publish: z.looseObject({ steps: stepsForm }) }) });
const actionForm = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ description: z.string(), required: z.boolean() })),
  outputs: z.record(z.string(), z.looseObject({ description: z.string() })),
});

const guideToAction = readFileSync('docs/guides/github-action.md', 'utf8');
const workflow = readFileSync('integrations/static-site/.github/workflows/publish.yml', 'utf8');
const [, block = ''] = /```yaml\n(.*?)```/s.exec(guideToAction) ?? [];

test.each([
  ['the guide', () => stepsForm.parse(parseYaml(block))],
  ['the static site', () => workflowForm.parse(parseYaml(workflow)).jobs.publish.steps],
])('the workflow of %s uses only inputs and outputs of the action', (_, read) => {
  const { inputs, outputs } = actionForm.parse(
    parseYaml(readFileSync('integrations/action/action.yml', 'utf8')),
  );
  const steps = read();
  const [step, ...others] = steps.filter(({ uses }) => uses?.includes('/integrations/action@'));
  expect([others, step?.uses]).toEqual([[], expect.stringMatching(/@[0-9a-f]{40}$/)]);
  const given = Object.keys(step?.with ?? {});
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given));
  const required = Object.keys(inputs).filter((name) => inputs[name]?.required);
  expect(given).toEqual(expect.arrayContaining(required));
  const used = [...JSON.stringify(steps).matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)];
  for (const [, id, output] of used) {
    expect(id).toBe(step?.id);
    expect(Object.keys(outputs)).toContain(output);
  }
});

test('the tables of the guide list exactly the inputs and outputs of the action', () => {
  const { inputs, outputs } = actionForm.parse(
    parseYaml(readFileSync('integrations/action/action.yml', 'utf8')),
  );
  const namesUnder = (heading: string) => {
    const [, rows = ''] =
      new RegExp(`^\\| ${heading} \\| \\|\n\\|---\\|---\\|\n((?:\\|.*\n)+)`, 'm').exec(guideToAction) ?? [];
    const cells = rows.split('\n').map((row) => row.split('|')[1] ?? '');
    return cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  };
  expect(namesUnder('input').toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(namesUnder('output').toSorted()).toEqual(Object.keys(outputs).toSorted());
});
