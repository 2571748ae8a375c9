import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { generatePrivateKey } from 'viem/accounts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import type { Route } from '../../functions/domain/chain.ts';
import { laneName } from '../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../functions/domain/lane/lane-records.ts';
import { findPayload, transactionsFrom } from '../../functions/domain/lane/transaction-records.ts';
import { createAttestation } from '../../functions/domain/requests/create-attestation.ts';
import { batchLimits } from '../../functions/domain/sending/batch-call.ts';
import type { Services } from '../../functions/domain/services.ts';
import { type ChainSettings, settingsSchema } from '../../functions/domain/settings.ts';
import { advance } from '../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../functions/domain/steps/enter-step.ts';
import type { LaneTick } from '../../functions/domain/steps/next-tick.ts';
import { MemoryRecords } from '../fakes/memory-records/memory-records.ts';
import { FakeExecutions } from '../fakes/ports/fake-executions.ts';
import { FakeLog } from '../fakes/ports/fake-log.ts';
import { FakeSigner } from '../fakes/ports/fake-signer.ts';
import { chainThrough } from '../fakes/real/real-chain-start.ts';
import { viewsOf } from '../fakes/world/world-views.ts';
import { type BenchChain, startBenchChain } from './bench-chain.ts';
import { type Bench, type Cell, type Table, tenths, withinLimit } from './report.ts';

/** Minimum share of its ceiling that a lane must reach. */
const minShare = 0.85;

const runs: readonly { readonly route: Route; readonly blockTimeSeconds: number }[] = [
  { route: 'forwarder', blockTimeSeconds: 2 },
  { route: 'key', blockTimeSeconds: 2 },
  { route: 'forwarder', blockTimeSeconds: 1 },
];

/** A lane of a new key, with store and key in memory. The bench runs its executions. */
function openLane(signer: FakeSigner, { chain, settings, forwarderAddress }: BenchChain) {
  const { chainId } = chain;
  const records = new MemoryRecords();
  const parsed = settingsSchema.parse(settings);
  const port = chainThrough([chain.rpcUrl], parsed.chains[0] as ChainSettings);
  const services: Services = {
    ...{ records, settings: parsed, executions: new FakeExecutions(), log: new FakeLog() },
    ...{ now: () => new Date(), chain: () => port, signer: async () => signer },
  };
  const { owes } = viewsOf({ records, chainId, forwarderAddress, signers: () => [signer] });
  return { services, lane: laneName(chainId, signer.address), chainId, owes };
}

type Lane = ReturnType<typeof openLane>;

/** Accepts attestations of one organization, and queues the commits of all. */
async function queueAll({ services, chainId }: Lane, { authorityAddress }: BenchChain, count: number) {
  const caller = { organizationId: uuidv7(), authorityAddress, defaultChainId: chainId };
  for (let number = 0; number < count; number++) {
    const content = parseContent(`Article ${number} of ${caller.organizationId}.`);
    const { attestation } = await createAttestation(services, caller, { content });
    await queueOperation(services, attestation, 'commit');
  }
}

/** Runs the lane's execution, waits included, until no work is left. @returns milliseconds of each tick that binds */
async function runLane({ services, lane, owes }: Lane): Promise<number[]> {
  const stateOf = async () => (await findLaneState(services.records, lane)) ?? { nextNonce: 0, run: 1 };
  const binding: number[] = [];
  let tick: LaneTick = { lane, run: 1, turn: 0 };
  while (await owes()) {
    const { nextNonce } = await stateOf();
    const startedAtMs = performance.now();
    const next = await advance(services, tick);
    const elapsedMs = performance.now() - startedAtMs;
    const after = await stateOf();
    if (after.nextNonce > nextNonce) binding.push(elapsedMs);
    tick = next.done ? { lane, run: after.run, turn: 0 } : next;
    await pause(next.waitSeconds * 1000);
  }
  return binding;
}

/** Computes the pace over the middle 80 % of the blocks: at either end, the lane starts up or runs out. */
async function paceOf({ services: { records }, lane }: Lane) {
  const state = await findLaneState(records, lane);
  const transactions = state ? await transactionsFrom(records, state, 0) : [];
  const mined = transactions.map(({ nonce, receipt }) => {
    if (!receipt?.succeeded || receipt.failedPositions.length > 0)
      throw new Error(`a call of transaction ${nonce} failed, so the throughput is not valid`);
    return { nonce, block: receipt.blockNumber };
  });
  const [first, last] = [
    Math.min(...mined.map(({ block }) => block)),
    Math.max(...mined.map(({ block }) => block)),
  ];
  const blocks = last - first + 1;
  const end = Math.round(blocks / 10);
  const inner = mined.filter(({ block }) => block >= first + end && block <= last - end);
  const payloads = await Promise.all(inner.map(({ nonce }) => findPayload(records, lane, nonce)));
  const operations = payloads.reduce((sum, payload) => sum + payload.operations.length, 0);
  const counted = blocks - 2 * end;
  return { blocks, transactionsPerBlock: inner.length / counted, operationsPerBlock: operations / counted };
}

async function measureRun(
  { route, blockTimeSeconds }: (typeof runs)[number],
  { attestations, log }: Bench,
): Promise<Cell[]> {
  const signer = new FakeSigner(generatePrivateKey());
  const benchChain = await startBenchChain(blockTimeSeconds, route, signer.address);
  try {
    const lane = openLane(signer, benchChain);
    const name = `${route}, blocks of ${blockTimeSeconds} s`;
    log(`${name}: queuing ${attestations.toLocaleString('en')} attestations and running the lane`);
    await queueAll(lane, benchChain, attestations);
    const ticks = (await runLane(lane)).sort((one, other) => one - other);
    const rank = (share: number) => Math.round(ticks[Math.ceil(share * ticks.length) - 1] ?? Number.NaN);
    const { blocks, transactionsPerBlock, operationsPerBlock } = await paceOf(lane);
    const ceiling = 4 * batchLimits.members;
    const share = operationsPerBlock / ceiling;
    return [
      ...[name, 2 * attestations, blocks, tenths(transactionsPerBlock), tenths(operationsPerBlock), ceiling],
      ...[`${tenths(share * 100)} %`, withinLimit(minShare, share)],
      tenths(operationsPerBlock / 2 / blockTimeSeconds),
      ...[rank(0.5), rank(0.95)],
    ];
  } finally {
    await benchChain.stop();
  }
}

/** Measures how fast one key works through a long queue, on a separate chain for each run. */
export async function measureLanes(bench: Bench): Promise<Table[]> {
  const rows: Cell[][] = [];
  for (const run of runs) rows.push(await measureRun(run, bench));
  return [
    {
      title: 'A lane with all of its commits queued at once, over the middle 80 % of its blocks',
      columns: [
        ...[
          'run',
          'operations',
          'blocks',
          'transactions a block',
          'operations a block',
          'ceiling',
          'reached',
        ],
        ...[`≥ ${minShare * 100} %`, 'attestations a second'],
        ...['ticks that bind: p50 ms', 'p95 ms'],
      ],
      rows,
    },
  ];
}
