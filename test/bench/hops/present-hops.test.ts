import { expect, test } from 'vitest';
import type { RecordedRequest } from './counting-proxy.ts';
import { hopTables } from './present-hops.ts';
import type { Measurement } from './probe.ts';

function request(fields: Partial<RecordedRequest>): RecordedRequest {
  return {
    service: 'DynamoDB',
    operation: 'GetItem',
    calls: 1,
    units: { read: 0, write: 0 },
    startedAtMs: 0,
    endedAtMs: 100,
    ...fields,
  };
}

const later = { startedAtMs: 100, endedAtMs: 200 };

const create: Measurement = {
  name: 'create, new content',
  elapsedMs: 212,
  requests: [
    request({ units: { read: 1, write: 0 } }),
    request({ service: 'chain', operation: 'eth_call+eth_call', calls: 2 }),
    request({ ...later, operation: 'PutItem', units: { read: 0, write: 3 } }),
  ],
};

const get: Measurement = {
  name: 'get',
  elapsedMs: 300,
  requests: [0, 100, 200].map((at) => request({ startedAtMs: at, endedAtMs: at + 100 })),
};

const options = { delayMs: 100, contentBytes: 1234 };

test('counts by service, and compares sequential hops with the target and the first call', () => {
  const [hops] = hopTables([create, get], [{ ...create, requests: create.requests.slice(0, 1) }], options);
  expect(hops?.rows).toEqual([
    ['create, new content', 2, '1 (2)', 0, 0, 3, 2, '2.1', 1, '≤ 4: yes'],
    ['get', 3, '0', 0, 0, 3, 3, '3.0', 0, '≤ 2: **no**'],
  ]);
});

test('shows which requests wait for which', () => {
  const [, order] = hopTables([create], [], options);
  expect(order?.rows).toEqual([['create, new content', 'GetItem ∥ eth_call+eth_call → PutItem']]);
});

test('puts a request after the last hop it may have waited for, though a slow one still runs beside it', () => {
  const slow = request({ service: 'chain', operation: 'eth_call', startedAtMs: 0, endedAtMs: 500 });
  const requests = [slow, request({}), request({ ...later, operation: 'Query' })];
  const [, order] = hopTables([{ ...create, requests }], [], options);
  expect(order?.rows).toEqual([['create, new content', 'eth_call ∥ GetItem → Query']]);
});

test('adds up the units of the calls that one attestation needs, and of no others', () => {
  const [, , units] = hopTables([create, get], [], options);
  expect(units?.rows).toEqual([
    ['create, new content', 3, 1],
    ['all', 3, 1],
  ]);
});
