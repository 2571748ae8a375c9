import { expect, test } from 'vitest';
import { type StepName, stepNames } from './options.ts';
import type { Place } from './place/place.ts';
import { exitCodeOf, reportText } from './report.ts';
import { runSteps } from './run.ts';
import type { Step } from './scene.ts';

const never = (): never => {
  throw new Error('no step of this test asks for it');
};

const place: Place = {
  ...{
    isAws: true,
    keepsData: false,
    title: 'account 444455556666',
    stackName: 'Imprimatur-Smoke',
    aws: { region: 'eu-central-1' },
  },
  ...{
    adminOptions: [],
    check: never,
    bootstrapProblem: never,
    deploy: never,
    update: never,
    settings: never,
    markMoment: never,
    destroy: never,
  },
  leftBehind: () => ['all of it goes with: npm run smoke -- --env staging --destroy'],
  stop: async () => undefined,
};

const done: Step = async (scene) => scene.proven('it holds');

function run(changed: Partial<Record<StepName, Step>>, signal = new AbortController().signal) {
  const steps = Object.fromEntries(stepNames.map((name) => [name, changed[name] ?? done]));
  return runSteps({
    ...{ place, names: stepNames, signal, say: () => undefined, waitFor: () => undefined },
    steps: steps as Record<StepName, Step>,
  });
}

const paper = { isColored: false, columns: 80 };

test('a step that fails ends the run, with what it proved before and what is left behind', async () => {
  const report = await run({
    throttle: async (scene) => {
      scene.proven('a key is throttled');
      scene.notProven('the stage', 'nobody asked');
      scene.service();
    },
  });
  expect(report.steps.map(({ state }) => state)).toEqual([
    'done',
    'done',
    'failed',
    ...Array(7).fill('not run'),
  ]);
  expect(exitCodeOf(report)).toBe(1);
  const text = reportText(report, paper);
  expect(text).toContain('  proven      a key is throttled');
  expect(text).toContain('  NOT PROVEN  the stage: nobody asked');
  expect(text).toContain('  FAILED      nothing is deployed yet');
  expect(text).toContain('npm run smoke -- --env staging --destroy');
  expect(text).toMatch(/3 proven, 1 NOT PROVEN, 1 FAILED, in 0 s$/);
});

test('a run in which every step holds ends with 0', async () => {
  const report = await run({});
  expect(exitCodeOf(report)).toBe(0);
  expect(reportText(report, paper)).toMatch(/10 proven, 0 NOT PROVEN, in 0 s$/);
});

test('Ctrl-C ends it within a step, which is undone before that', async () => {
  const stopped = new AbortController();
  let undone = false;
  const waits: Step = ({ atEnd }) => {
    atEnd(async () => {
      undone = true;
    });
    stopped.abort();
    return new Promise(() => undefined);
  };
  await expect(run({ attest: waits }, stopped.signal)).rejects.toThrow('stopped before the end');
  expect(undone).toBe(true);
});

test('a failure that names the URL of a provider is told without it', async () => {
  const report = await run({
    deploy: async () => {
      throw new Error('HTTP request failed.\nURL: https://rpc.example.org/v2/KEY\nStatus: 429');
    },
  });
  const text = JSON.stringify(report) + reportText(report, paper);
  expect(text).toContain('URL: <url>');
  expect(text).not.toContain('KEY');
});
