import { withinLimit } from '../report/present-table.ts';
import type { Cell, Table } from '../report/section.ts';
import { addUnits } from './consumed-units.ts';
import type { RecordedRequest } from './counting-proxy.ts';
import type { Measurement } from './probe.ts';
import { sequentialHops } from './sequential-hops.ts';

/** Limit of the sequential hops of each call. */
const hopLimits: Readonly<Record<string, number>> = {
  'create, new content': 4,
  'create, same content again': 3,
  get: 2,
  'list, 50 entries': 2,
};

/** Calls that an attestation needs on its way to `confirmed`, when its lane has no other. */
const wayOfOne = [
  'create, new content',
  'Commit',
  'AdvanceLane, settling one commit',
  'Reveal',
  'AdvanceLane, settling one reveal',
  'Confirm',
];

function count(requests: readonly RecordedRequest[], service: RecordedRequest['service']): number {
  return requests.filter((request) => request.service === service).length;
}

function chainCell(requests: readonly RecordedRequest[]): string {
  const calls = requests.reduce((sum, request) => sum + (request.service === 'chain' ? request.calls : 0), 0);
  return calls === 0 ? '0' : `${count(requests, 'chain')} (${calls})`;
}

function hopRow(
  { name, requests, elapsedMs }: Measurement,
  first: Measurement | undefined,
  delayMs: number,
): Cell[] {
  const hops = sequentialHops(requests);
  const limit = hopLimits[name];
  return [
    name,
    count(requests, 'DynamoDB'),
    chainCell(requests),
    count(requests, 'Step Functions'),
    count(requests, 'KMS'),
    requests.length,
    hops,
    (elapsedMs / delayMs).toFixed(1),
    sequentialHops(first?.requests ?? []),
    limit === undefined ? '' : `≤ ${limit}: ${withinLimit(hops, limit)}`,
  ];
}

/** Lists the requests hop by hop: each stands right after the last hop in which a request ended before it began. */
function inOrder(requests: readonly RecordedRequest[]): string {
  const sorted = [...requests].sort((a, b) => a.startedAtMs - b.startedAtMs);
  const hops: RecordedRequest[][] = [];
  for (const request of sorted) {
    const last = hops.findLastIndex((hop) => hop.some(({ endedAtMs }) => endedAtMs <= request.startedAtMs));
    hops[last + 1] = [...(hops[last + 1] ?? []), request];
  }
  return hops.map((hop) => hop.map(({ operation }) => operation).join(' ∥ ')).join(' → ');
}

function unitRow(name: string, requests: readonly RecordedRequest[]): Cell[] {
  const { read, write } = addUnits(requests.map(({ units }) => units));
  return [name, write, read];
}

/** Makes the tables of each call's cost when warm, beside the sequential hops of the first such call of the process. */
export function hopTables(
  warm: readonly Measurement[],
  first: readonly Measurement[],
  { delayMs, contentBytes }: { delayMs: number; contentBytes: number },
): Table[] {
  const way = warm.filter(({ name }) => wayOfOne.includes(name));
  return [
    {
      title: 'Network round trips of each call, warm; chain: HTTP requests (JSON-RPC calls inside)',
      columns: [
        ...['call', 'DynamoDB', 'chain', 'Step Functions', 'KMS', 'round trips', 'sequential hops'],
        ...['elapsed / delay', 'hops, first call', 'target'],
      ],
      rows: warm.map((measured) =>
        hopRow(
          measured,
          first.find(({ name }) => name === measured.name),
          delayMs,
        ),
      ),
    },
    {
      title:
        'The requests of each call, warm: one after another (→), at the same time (∥), in one HTTP request (+)',
      columns: ['call', 'requests'],
      rows: warm.map(({ name, requests }) => [name, inOrder(requests)]),
    },
    {
      title: `DynamoDB request units of one attestation of ${contentBytes.toLocaleString('en')} bytes`,
      columns: ['call', 'write units', 'read units'],
      rows: [
        ...way.map(({ name, requests }) => unitRow(name, requests)),
        unitRow(
          'all',
          way.flatMap(({ requests }) => requests),
        ),
      ],
    },
  ];
}
