import { type AttestationKey, checkLater, isTerminal, noCheck } from '../attestation/attestation.ts';
import { attestationRow, parseReadable } from '../attestation/attestation-records.ts';
import { laneName } from '../lane/lane.ts';
import { findLaneState, recordServed } from '../lane/lane-records.ts';
import { type LaneServices, laneServices } from '../lane/lane-services.ts';
import { waitingQueues } from '../lane/queue-records.ts';
import { isResponsibleFor, queuesOf } from '../lane/served-queues.ts';
import { chainSigners } from '../lane/signers.ts';
import { startLane, startRun, startSuccessors } from '../lane/start-lane.ts';
import type { LogMessage } from '../log-lines.ts';
import type { Services } from '../services.ts';
import { differsFromChain } from '../settling/reorg.ts';
import { reportOverdueLanes, reportUnfinished } from './report-overdue.ts';

/** Maximum attestations read in one sweep. The next sweep, a minute later, reads the rest. */
const sweepLimit = 10_000;

/**
 * Number of concurrent checks. They make 133 checks a second: more than the API's throttle accepts, and less than Step
 * Functions can start.
 */
const concurrentChecks = 8;

/** Milliseconds after which no further check starts. The function has 90 s, and the next sweep starts after 60 s. */
const maxCheckMilliseconds = 50_000;

/** Restarts executions that a crash ended. Rows are the truth, executions only hints. Two sweeps may overlap. */
export async function sweep(services: Services): Promise<void> {
  const { settings, log } = services;
  let checked: Checked = { attestations: 0, oldestUnfinishedSeconds: 0 };
  // Concurrent, so that an unreachable chain delays neither other chains nor attestations.
  const parts = await Promise.all([
    ...settings.chains.map(({ chainId }) => tryAndLog(services, () => restartLanes(services, chainId))),
    ...settings.chains.map(({ chainId }) =>
      tryAndLog(services, () => reportOverdueLanes(services, chainId), 'sweep could not check a chain'),
    ),
    tryAndLog(services, async () => {
      checked = await restartAttestations(services);
    }),
  ]);
  const failedParts = parts.filter((succeeded) => !succeeded).length;
  // If every part failed, the function must fail too, so that its heartbeat is missing.
  if (failedParts === parts.length) throw new Error('every part of the sweep failed');
  log.info('sweep done', { ...checked, parts: parts.length, failedParts });
}

/** Runs an action and logs its error, so that the others still run. @returns whether it succeeded */
async function tryAndLog(
  services: Services,
  action: () => Promise<void>,
  failure: LogMessage = 'sweep could not restart an execution',
): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    services.log.error(failure, error);
    return false;
  }
}

interface Checked {
  readonly attestations: number;
  readonly oldestUnfinishedSeconds: number;
}

async function restartAttestations(services: Services): Promise<Checked> {
  const { records, now } = services;
  const until = now().getTime() + maxCheckMilliseconds;
  const due = (await records.due(now().toISOString(), sweepLimit)).values();
  const ages: number[] = [];
  const checkNext = async () => {
    for (const { pk, sk } of due) {
      if (now().getTime() > until) return;
      await tryAndLog(services, async () => {
        ages.push(await restart(services, { organizationId: pk, id: sk }));
      });
    }
  };
  await Promise.all(Array.from({ length: concurrentChecks }, checkNext));
  return { attestations: ages.length, oldestUnfinishedSeconds: ages.reduce((a, b) => Math.max(a, b), 0) };
}

/** Restarts an attestation's execution if it ended. @returns the attestation's age in seconds; 0 if it is finished */
async function restart(services: Services, key: AttestationKey): Promise<number> {
  const { records, executions, now } = services;
  const rowKey = attestationRow(key);
  const fields = await records.get(rowKey);
  if (!fields) return 0;
  const row = parseReadable(services, key, fields);
  // If malformed rows stayed due, they would keep the others from being checked.
  if (!row) {
    await records.update({ key: rowKey, set: checkLater(now()), ifPresent: true });
    return 0;
  }
  // The index lags, and a crash may have left an entry after a terminal status.
  if (isTerminal(row)) {
    await records.update({ key: rowKey, set: noCheck, ifPresent: true });
    return 0;
  }
  const ageSeconds = reportUnfinished(services, row);
  if ((await executions.startAttest({ ...key, run: row.run })) === 'closed') {
    const run = row.run + 1;
    // The sweep that raises the run starts it. If that fails, the attestation is still due at the next sweep.
    const raised = await records.update({ key: rowKey, expect: { run: row.run }, set: { run } });
    if (!raised || (await executions.startAttest({ ...key, run })) === 'closed') return ageSeconds;
  }
  await records.update({ key: rowKey, expect: { status: row.status }, set: checkLater(now()) });
  return ageSeconds;
}

async function restartLanes(services: Services, chainId: number): Promise<void> {
  for (const { address } of await chainSigners(services, chainId)) {
    await tryAndLog(services, () => restartLane(laneServices(services, laneName(chainId, address))));
  }
}

async function restartLane(services: LaneServices): Promise<void> {
  const { lane } = services;
  const known = await findLaneState(services.records, lane);
  const state = known && (await recordServed(services, known));
  const isUnsettled = state !== undefined && state.finalNonce < state.nextNonce;
  const queues = queuesOf(services, state);
  const waiting = await waitingQueues(services.records, queues);
  const others = state ? waiting.filter((queue) => !isResponsibleFor(state, queue)) : [];
  await startSuccessors(services, others);
  const hasWork = waiting.length > others.length || (isUnsettled && state.minedNonce < state.nextNonce);
  if (hasWork) return startLane(services, lane, state);
  // It may sleep until its mined transactions are final.
  if (isUnsettled) return startRun(services, lane, state.run);
  // A reorg deeper than `confirmations` may undo final transactions of an idle lane, even of a retired one.
  if (state && (await differsFromChain(services, state))) await startLane(services, lane);
}
