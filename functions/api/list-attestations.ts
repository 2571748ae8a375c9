import type { APIGatewayProxyEvent } from 'aws-lambda';
import { functionLog } from '../adapters/aws/cloudwatch-log.ts';
import { composeRecords } from '../adapters/compose-records.ts';
import { listAttestations } from '../domain/attestation/attestation-records.ts';
import { attestationBody } from './bodies/attestation-body.ts';
import { listQuerySchema } from './bodies/requests.ts';
import { parse, pathOf, route } from './http/route.ts';

const records = composeRecords(process.env);
const log = functionLog();

/** Handler of GET /v1/attestations. */
export const handler = route({
  records,
  log,
  handle: async (event, { organizationId }) => {
    const { limit, cursor } = parse(listQuerySchema, event.queryStringParameters ?? {});
    const page = { limit, ...(cursor === undefined ? {} : { before: cursor }) };
    const { attestations, more } = await listAttestations(records, organizationId, page);
    const last = attestations.at(-1);
    const headers = more && last ? { Link: nextPage(event, limit, last.id) } : {};
    return { status: 200, body: { attestations: attestations.map(attestationBody) }, headers };
  },
});

/** The cursor is the last id seen: ids sort by time, so a page stays what it is while new ones arrive. */
function nextPage(event: APIGatewayProxyEvent, limit: number, cursor: string): string {
  return `<${pathOf(event)}?limit=${limit}&cursor=${cursor}>; rel="next"`;
}
