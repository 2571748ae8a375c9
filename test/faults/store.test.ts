import { afterAll, expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../functions/domain/attestation/content-cid.ts';
import { readContent } from '../../functions/domain/attestation/content-records.ts';
import { operationName } from '../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import type { AwsFault } from '../fakes/aws/aws-faults.ts';
import { Processes } from '../fakes/ports/processes.ts';
import { seededRandom } from '../fakes/ports/seeded-random.ts';
import { startAws } from '../fakes/real/real-aws.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import {
  expectAllConfirmed,
  laneOf,
  rowsOf,
  type Served,
  serve,
  transactionOf,
} from '../fakes/real/served.ts';
import { dispatchQueue } from '../fakes/world/dispatch-queue.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { recordsSuite } from '../functions/adapters/dynamodb/records-suite.ts';

/** Faults of a create, and the number of rows that it leaves. */
const interruptions: readonly (readonly [AwsFault, number])[] = [
  [{ kind: 'killed before', command: 'BatchGetItem' }, 0],
  [{ kind: 'killed before', command: 'TransactWriteItems' }, 0],
  [{ kind: 'killed after', command: 'TransactWriteItems' }, 1],
  [{ kind: 'answer lost', command: 'TransactWriteItems', times: 4 }, 1],
  [{ kind: 'killed before', command: 'StartExecution' }, 1],
  [{ kind: 'killed after', command: 'StartExecution' }, 1],
];

/** A long text, which the store compresses to one part. */
const longText = 'A long article. '.repeat(25_000);

const textOf = (position: number): string => (position === 2 ? longText : `article ${position}`);

async function rowsWith(world: RealWorld, text: string): Promise<Attestation[]> {
  const digest = contentDigest(parseContent(text));
  return (await rowsOf(world)).filter((row) => row.digest === digest);
}

test('row 01: a create killed before, between or after its writes leaves one attestation for a client that retries', async () => {
  const service = await serve();
  const { world, machines } = service;
  for (const [position, [fault, rows]] of interruptions.entries()) {
    const text = textOf(position);
    world.aws.inject(fault);
    await expect(service.post(alice, text)).rejects.toThrow();
    world.aws.clear();
    const left = await rowsWith(world, text);
    expect(left, JSON.stringify(fault)).toHaveLength(rows);
    const again = await service.post(alice, text);
    expect(again.accepted).toBe(rows === 0);
    expect(left.map(({ id }) => id)).toEqual(Array(rows).fill(again.attestation.id));
  }
  for (const row of await rowsOf(world)) await service.untilTerminal(row);
  await service.finishAndCheck();
  for (const position of interruptions.keys()) {
    const [row, ...others] = await rowsWith(world, textOf(position));
    expect([row?.status, others]).toEqual(['confirmed', []]);
    if (row) expect(await readContent(world.records, row)).toBe(textOf(position));
    const names = [...machines.executions.keys()].filter((name) => name.startsWith(row?.id ?? ''));
    expect(names).toEqual([`${row?.id}-1`]);
  }
});

test.each([1, 4])(
  'row 08: a nonce is assigned once when the answer to its assignment is lost %i times',
  async (times) => {
    const service = await serve({ forwarder: true });
    const { world } = service;
    const { attestation } = await service.post(alice, 'An article.');
    // The write that assigns the nonce comes after the one that queues the operation.
    world.aws.inject({ kind: 'answer lost', command: 'TransactWriteItems', nth: 2, times });
    await service.until(async () => (await laneOf(world).catch(() => undefined))?.nextNonce === 1);
    // The SDK retries and finds its own write. If all answers are lost, another process has to sign.
    expect((await transactionOf(world, 0)).attempts.length).toBe(times === 1 ? 1 : 0);
    await service.finishAndCheck();
    const { commitTxHash, revealTxHash } = await world.row(attestation);
    expect((await laneOf(world)).nextNonce).toBe(2);
    for (const [nonce, hash] of [commitTxHash, revealTxHash].entries()) {
      const { attempts } = await transactionOf(world, nonce);
      expect(attempts.map((attempt) => attempt.hash)).toEqual([hash]);
    }
  },
);

async function postSome(
  { postUntilAnswered }: Pick<Served, 'postUntilAnswered'>,
  each: number,
): Promise<void> {
  for (const caller of [alice, bob])
    for (let number = 0; number < each; number++) await postUntilAnswered(caller, `article ${number}`);
}

test('row 28: every write succeeds after two conflicts, and no caller sees an error', async () => {
  const service = await serve();
  const { aws, log } = service.world;
  for (const command of ['TransactWriteItems', 'UpdateItem', 'PutItem'])
    for (let write = 0; write < 100; write++)
      aws.inject({ kind: 'conflict', command, nth: 1 + 3 * write, times: 2 });
  await postSome(service, 1);
  await service.finishAndCheck();
  await expectAllConfirmed(service.world, 2);
  expect(log.messages('error')).toEqual([]);
});

test('row 28: concurrent dispatches with conflicts and throttling assign each nonce once', async () => {
  const service = await serve({ forwarder: true, maxInFlight: 2 });
  const { world, queue } = service;
  const random = seededRandom(28);
  const dispatchBeside = () =>
    service.process((mortal) => dispatchQueue(mortal, world.queue)).catch(() => {});
  queue.every(1, async () => {
    world.aws.inject({ kind: 'conflict', nth: 1 + random(10), times: 1 + random(2) });
    world.aws.inject({ kind: 'throttled', nth: 1 + random(20), times: 1 + random(4) });
    await Promise.all([dispatchBeside(), dispatchBeside(), dispatchBeside()]);
  });
  await postSome(service, 2);
  await service.finishAndCheck();
  await expectAllConfirmed(world, 4);
  const { lane, nextNonce } = await laneOf(world);
  const nonces = Array.from({ length: nextNonce }, (_, nonce) => nonce);
  const payloads = await Promise.all(nonces.map((nonce) => findPayload(world.records, lane, nonce)));
  const bound = payloads.flatMap(({ operations }) => operations.map(operationName));
  expect([...new Set(bound)]).toEqual(bound);
  expect(bound).toHaveLength(8);
});

test('row 30: concurrent posts of one content create one attestation for each organization, and all get it', async () => {
  const service = await serve();
  const callers = Array.from({ length: 50 }, (_, number) => (number % 2 ? alice : bob));
  const creations = await Promise.all(callers.map((caller) => service.post(caller, 'An article.')));
  for (const caller of [alice, bob]) {
    const creationsOfCaller = creations.filter((_, number) => callers[number] === caller);
    expect(creationsOfCaller.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(new Set(creationsOfCaller.map(({ attestation }) => attestation.id)).size).toBe(1);
  }
  await service.finishAndCheck();
  await expectAllConfirmed(service.world, 2);
});

const aws = await startAws(new Processes());
afterAll(aws.stop);

recordsSuite('on the tables of the real worlds', () => aws.records);
