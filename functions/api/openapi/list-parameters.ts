import * as z from 'zod';
import { attestationStatuses } from '../../domain/attestation/attestation.ts';
import { contentCidPattern, cursorPattern, timeText } from '../bodies/list-query.ts';
import { urlPattern } from '../bodies/requests.ts';

const inQuery = (name: string, description: string, schema: object) => {
  return { name, in: 'query', description, schema };
};

/** Schema of `limit`, the same as in `listQuerySchema`, which reads text. */
export const limitSchema = { type: 'integer', minimum: 1, maximum: 200, default: 50 };

const { anyOf } = z.toJSONSchema(timeText);

const timeSchema = { anyOf };

/** Only `limit` has an example: the documentation page sends all examples, and others would give an empty list. */
export const listParameters = [
  { ...inQuery('limit', 'Maximum number to return.', limitSchema), example: 25 },
  inQuery(
    'cursor',
    'Where the page begins: take it, with the rest of the address, from `Link`. It is valid only with the same filters.',
    { type: 'string', pattern: cursorPattern },
  ),
  inQuery(
    'contentCid',
    'Attestations of this content: on each served chain the current one, and the failed ones before it.',
    { type: 'string', pattern: contentCidPattern.source },
  ),
  inQuery(
    'url',
    'Those with this URL, compared in the form of the URL standard: `https://NEWS.example` is `https://news.example/`.',
    { type: 'string', pattern: urlPattern, maxLength: 2048 },
  ),
  inQuery('status', 'Those that have this status now.', { type: 'string', enum: attestationStatuses }),
  inQuery(
    'createdAfter',
    'Those created at this time or after it: ISO 8601 with a zone, or a date (UTC).',
    timeSchema,
  ),
  inQuery('createdBefore', 'Those created before this time.', timeSchema),
];
