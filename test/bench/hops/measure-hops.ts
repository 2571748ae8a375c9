import { checkout } from '../../../local/checkout.ts';
import { readArticle } from '../../../local/stack/read-article.ts';
import { type Bench, type Cell, type Table, withinLimit } from '../report.ts';
import { AttestationRuns, type Measurement } from './attestation-runs.ts';
import type { RecordedRequest } from './counting-proxy.ts';
import { startIdleService } from './idle-service.ts';
import { sequentialHops } from './sequential-hops.ts';

/** Limit of the sequential hops of each call. */
const hopLimits: Readonly<Record<string, number>> = {
  'create, new content': 4,
  'create, same content again': 3,
  get: 2,
  'list, 50 entries': 2,
};

/** Enough for a full page of the list. */
const otherArticles = 50;

function hopRow({ name, requests }: Measurement, first: Measurement | undefined): Cell[] {
  const requestsTo = (service: RecordedRequest['service']) =>
    requests.filter((one) => one.service === service);
  const chain = requestsTo('chain');
  const calls = chain.reduce((sum, request) => sum + request.calls, 0);
  const hops = sequentialHops(requests);
  const limit = hopLimits[name];
  return [
    ...[name, requestsTo('DynamoDB').length, calls === 0 ? '0' : `${chain.length} (${calls})`],
    ...[requestsTo('Step Functions').length, requestsTo('KMS').length, requests.length, hops],
    sequentialHops(first?.requests ?? []),
    limit === undefined ? '' : `≤ ${limit}: ${withinLimit(hops, limit)}`,
  ];
}

/** Counts the requests of each route and state to other services, by running the real handlers behind proxies. */
export async function measureHops({ directory, log }: Bench): Promise<Table[]> {
  const service = await startIdleService(`${directory}/functions.log`, log);
  try {
    const attestationRuns = new AttestationRuns(
      service,
      readArticle(`${checkout}/local/articles/lincoln-addresses.txt`),
    );
    log('measuring first calls: create, commit, reveal, confirm, link');
    const childId = await attestationRuns.create(0);
    await attestationRuns.run(1, childId);
    const first = attestationRuns.takeMeasurements();
    for (let number = 2; number < 2 + otherArticles; number++) await attestationRuns.create(number);
    attestationRuns.takeMeasurements();
    log('measuring the same calls when warm');
    await attestationRuns.run(2 + otherArticles, childId);
    const warm = attestationRuns.takeMeasurements();
    return [
      {
        title: 'Network round trips of each call, warm; chain: HTTP requests (JSON-RPC calls inside)',
        columns: [
          ...['call', 'DynamoDB', 'chain', 'Step Functions', 'KMS', 'round trips', 'sequential hops'],
          ...['hops, first call', 'target'],
        ],
        rows: warm.map((call) =>
          hopRow(
            call,
            first.find(({ name }) => name === call.name),
          ),
        ),
      },
    ];
  } finally {
    await service.stop();
  }
}
