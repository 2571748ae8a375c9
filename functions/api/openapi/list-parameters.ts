import * as z from 'zod';
import { attestationStatuses } from '../../domain/attestation/attestation.ts';
import { contentCidPattern, cursorPattern, timeText } from '../bodies/list-query.ts';
import { urlPattern } from '../bodies/requests.ts';

const inQuery = { in: 'query' } as const;

/** Schema of `limit`, the same as in `listQuerySchema`, which reads text. */
export const limitSchema = { type: 'integer', minimum: 1, maximum: 200, default: 50 };

const { anyOf } = z.toJSONSchema(timeText);

const timeSchema = { anyOf };

/** Only `limit` has an example: the documentation page sends all that have one, and would show an empty list. */
export const listParameters = [
  {
    ...{ name: 'limit', ...inQuery },
    description: 'How many to return at most.',
    schema: limitSchema,
    example: 25,
  },
  {
    ...{ name: 'cursor', ...inQuery },
    description:
      'Where the page begins: take it, with the rest of the address, from `Link`. It is of the list with the same filters.',
    schema: { type: 'string', pattern: cursorPattern },
  },
  {
    ...{ name: 'contentCid', ...inQuery },
    description:
      'Those of this content: on each chain that is served the one that stands, and the failed ones that it took the place of.',
    schema: { type: 'string', pattern: contentCidPattern.source },
  },
  {
    ...{ name: 'url', ...inQuery },
    description:
      'Those with this URL. Compared as the URL standard writes it: `https://NEWS.example` is `https://news.example/`.',
    schema: { type: 'string', pattern: urlPattern, maxLength: 2048 },
  },
  {
    ...{ name: 'status', ...inQuery },
    description: 'Those that have this status now.',
    schema: { type: 'string', enum: attestationStatuses },
  },
  {
    ...{ name: 'createdAfter', ...inQuery },
    description: 'Those created at this time or after it: ISO 8601 with a zone, or a date (UTC).',
    schema: timeSchema,
  },
  {
    ...{ name: 'createdBefore', ...inQuery },
    description: 'Those created before this time.',
    schema: timeSchema,
  },
];
