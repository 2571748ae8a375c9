import { randomUUID } from 'node:crypto';
import { type ConfirmedAttestation, ImprimaturClient } from 'imprimatur-client';
import { withoutUrls } from '../../admin/error-line.ts';
import { StopRequestedError, unlessStopped } from '../../local/process/stop-request.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import { demand } from './demand.ts';
import type { StepName } from './options.ts';
import { askAdmin, runAdminHere } from './place/ask-admin.ts';
import type { Place, Service } from './place/place.ts';
import type { SmokeReport, StepReport } from './report.ts';
import type { Scene, Step } from './scene.ts';
import { attest } from './steps/attest.ts';
import { deploy } from './steps/deploy.ts';
import { destroy } from './steps/destroy.ts';
import { doctor } from './steps/doctor.ts';
import { logs } from './steps/logs.ts';
import { metrics } from './steps/metrics.ts';
import { redrive } from './steps/redrive.ts';
import { restore } from './steps/restore.ts';
import { throttle } from './steps/throttle.ts';
import { upgrade } from './steps/upgrade.ts';

const steps: Readonly<Record<StepName, Step>> = {
  ...{ deploy, attest, throttle, redrive, upgrade, restore, logs, metrics, doctor, destroy },
};

/** Longest wait for an attestation: the sweep looks at each within ten minutes. */
const patience = { timeoutSeconds: 1_200 };

export interface Run {
  readonly place: Place;
  readonly names: readonly StepName[];
  readonly signal: AbortSignal;
  /** Takes a line of progress. */
  readonly say: (line: string) => void;
  /** Takes what is waited for from now on. */
  readonly waitFor: (what: string) => void;
  /** The steps of a run; others stand in for them in tests. */
  readonly steps?: Readonly<Record<StepName, Step>>;
}

/** Runs the steps in turn until one fails. @throws StopRequestedError; every other failure is in the report */
export async function runSteps(run: Run): Promise<SmokeReport> {
  const { place, names, signal, say } = run;
  const startedAt = new Date();
  const scene = makeScene(run, startedAt);
  const reports: StepReport[] = [];
  for (const [at, step] of names.entries()) {
    if (reports.some(({ state }) => state === 'failed')) {
      reports.push({ step, state: 'not run', seconds: 0, proven: [], notProven: [] });
      continue;
    }
    say(`${at + 1} of ${names.length}: ${step}`);
    const report = await runStep(scene, { step, act: (run.steps ?? steps)[step], signal, say });
    reports.push(report);
    if (report.failure !== undefined) say(`FAILED: ${report.failure}`);
  }
  const seconds = (Date.now() - startedAt.getTime()) / 1000;
  return {
    ...{ place: place.title, stackName: place.stackName, seconds, steps: reports },
    leftBehind: place.leftBehind(),
  };
}

interface StepRun {
  readonly step: StepName;
  readonly act: Step;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

async function undoAll(undos: readonly (() => Promise<unknown>)[], say: StepRun['say']): Promise<void> {
  for (const undo of undos)
    await undo().catch((error: unknown) => say(`  not undone: ${withoutUrls(describeFailure(error))}`));
}

async function runStep(scene: Scene, { step, act, signal, say }: StepRun): Promise<StepReport> {
  const undos: (() => Promise<unknown>)[] = [];
  const [proven, notProven]: [string[], { what: string; why: string }[]] = [[], []];
  const began = Date.now();
  const own: Scene = {
    ...scene,
    proven: (what) => {
      proven.push(what);
      scene.proven(what);
    },
    notProven: (what, why) => {
      notProven.push({ what, why });
      scene.notProven(what, why);
    },
    atEnd: (undo) => undos.push(undo),
  };
  const outcome = await unlessStopped(signal, act(own))
    .then(
      () => ({ state: 'done' as const }),
      (error: unknown) => {
        if (error instanceof StopRequestedError) throw error;
        return { state: 'failed' as const, failure: withoutUrls(describeFailure(error)) };
      },
    )
    .finally(() => undoAll(undos, say));
  return { step, ...outcome, seconds: (Date.now() - began) / 1000, proven, notProven };
}

function makeScene({ place, say, waitFor }: Run, startedAt: Date): Scene {
  const marker = `smoke-${randomUUID()}`;
  const posted: { id: string; content: string }[] = [];
  let service: Service | undefined;
  const deployed = (): Service => {
    demand(service !== undefined, 'nothing is deployed yet');
    return service;
  };
  const client = () => {
    const { apiUrl: url, apiKey } = deployed();
    return new ImprimaturClient({ url, apiKey, timeoutSeconds: 60, allowHttp: !place.isAws });
  };
  return {
    ...{ place, startedAt, marker, posted, client, waitFor },
    deploy: async () => {
      service = await place.deploy(waitFor);
      return service;
    },
    service: deployed,
    post: async (what) => {
      const content = `${what} ${marker} ${posted.length}`;
      const { attestation } = await client().attest(content);
      posted.push({ id: attestation.id, content });
      return attestation.id;
    },
    confirmed: (id): Promise<ConfirmedAttestation> => client().waitUntilConfirmed(id, patience),
    admin: (...argv) => askAdmin(place.adminOptions, argv),
    askAdmin: (...argv) => runAdminHere(place.adminOptions, argv),
    proven: (what) => say(`  proven: ${what}`),
    notProven: (what, why) => say(`  NOT PROVEN: ${what}: ${why}`),
    atEnd: () => undefined,
  };
}
