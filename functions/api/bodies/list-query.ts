import { createHash } from 'node:crypto';
import * as z from 'zod';
import { attestationStatuses } from '../../domain/attestation/attestation.ts';
import type { AttestationFilter } from '../../domain/attestation/list-attestations.ts';
import { RequestInvalidError } from '../../domain/errors.ts';
import { rejectNearMisses } from './near-misses.ts';
import { idSchema, url } from './requests.ts';

const limitMessage = 'must be an integer from 1 to 200';
const statusMessage = `must be one of ${attestationStatuses.join(', ')}`;
const cidMessage = 'must be a CIDv1 of codec raw and sha2-256, in base32: bafkrei…';
const timeMessage =
  'must be an ISO 8601 time with its zone, such as 2026-11-22T09:00:00Z, or a date (send + as %2B)';

export const contentCidPattern = /^bafkrei[a-z2-7]{52}$/;

export const timeText = z.union([z.iso.datetime({ offset: true }), z.iso.date()], timeMessage);

const time = timeText.transform((text) => new Date(text));

/** Length of the part that binds a cursor to its list's filters. */
const bindingLength = 11;

/** Pattern of a cursor: the last id read, and for a filtered list the part that binds it to the filters. */
export const cursorPattern = `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}([.][0-9A-Za-z_-]{${bindingLength}})?$`;

const listFields = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, limitMessage)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 200, limitMessage)
    .default(50),
  cursor: z.string().regex(new RegExp(cursorPattern), 'must come from the Link of a list').optional(),
  contentCid: z.string().regex(contentCidPattern, cidMessage).optional(),
  url: url.optional(),
  status: z.enum(attestationStatuses, statusMessage).optional(),
  createdAfter: time.optional(),
  createdBefore: time.optional(),
};

export const listParameters = Object.keys(listFields);

/** Rejects unknown parameters that look like a filter: if one were ignored, the full list would look filtered. */
export const listQuerySchema = rejectNearMisses(listFields, {
  chainId: 'the list has no such filter: it takes contentCid, url, status, createdAfter and createdBefore',
});

/** Returns the start of a page. @throws RequestInvalidError for the cursor of a list with other filters */
export function pageStart({ limit: _, cursor, ...filter }: z.output<typeof listQuerySchema>) {
  if (cursor === undefined) return { before: undefined, filter };
  const [id = '', binding] = cursor.split('.');
  if (binding !== bindingOf(filter)) {
    const message = 'belongs to a list with other filters: send the same filters, or no cursor';
    throw new RequestInvalidError([{ path: ['cursor'], message }]);
  }
  return { before: idSchema.parse(id), filter };
}

/** Returns the cursor of the page below that ID; without filters, the ID itself. */
export function cursorAt(id: string, filter: AttestationFilter): string {
  const binding = bindingOf(filter);
  return binding === undefined ? id : `${id}.${binding}`;
}

function bindingOf(filter: AttestationFilter): string | undefined {
  const { contentCid, url: address, status, createdAfter, createdBefore } = filter;
  const values = [contentCid, address, status, createdAfter, createdBefore];
  if (values.every((value) => value === undefined)) return undefined;
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, bindingLength);
}
