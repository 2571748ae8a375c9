import type { APIGatewayProxyEvent } from 'aws-lambda';
import { functionLog } from '../adapters/aws/cloudwatch-log.ts';
import { composeRecords } from '../adapters/compose-records.ts';
import { listAttestations } from '../domain/attestation/list-attestations.ts';
import { RequestInvalidError } from '../domain/errors.ts';
import { attestationBody } from './bodies/attestation-body.ts';
import { cursorAt, listParameters, listQuerySchema, pageStart } from './bodies/list-query.ts';
import { deployedSettings } from './http/deployed-settings.ts';
import { parse, pathOf, route } from './http/route.ts';

const records = composeRecords(process.env);
const log = functionLog();
const chainIds = (deployedSettings().chains ?? []).map(({ chainId }) => chainId);

export const handler = route({
  records,
  log,
  access: 'read',
  countsConcurrently: true,
  handle: async (event, { organizationId }) => {
    refuseRepeats(event);
    const query = parse(listQuerySchema, event.queryStringParameters ?? {});
    const { limit } = query;
    const { before, filter } = pageStart(query);
    const request = { limit, before, filter, chainIds };
    const { attestations, next } = await listAttestations(records, organizationId, request);
    const headers = next === undefined ? {} : { Link: nextPage(event, limit, cursorAt(next, filter)) };
    return { status: 200, body: { attestations: attestations.map(attestationBody) }, headers };
  },
});

/** Rejects repeated parameters, because only one value would be used. @throws RequestInvalidError */
function refuseRepeats({ multiValueQueryStringParameters: sent }: APIGatewayProxyEvent): void {
  const repeated = listParameters.filter((name) => (sent?.[name]?.length ?? 0) > 1);
  const message = 'is given more than once';
  if (repeated.length > 0) throw new RequestInvalidError(repeated.map((name) => ({ path: [name], message })));
}

/** Returns the link to the next page. IDs sort by time, so pages stay stable while new attestations arrive. */
function nextPage(event: APIGatewayProxyEvent, limit: number, cursor: string): string {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const name of listParameters) {
    const value = event.queryStringParameters?.[name];
    if (value !== undefined && !query.has(name)) query.set(name, value);
  }
  query.delete('cursor');
  query.append('cursor', cursor);
  return `<${pathOf(event)}?${query}>; rel="next"`;
}
