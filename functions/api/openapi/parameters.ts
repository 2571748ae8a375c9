const uuid = { type: 'string', format: 'uuid' };

export const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the attestation, in either case.',
  schema: uuid,
  example: '019b76da-a800-7000-8000-00000000a001',
};

/** As the query's own schema has it, which reads text. */
export const limitSchema = { type: 'integer', minimum: 1, maximum: 200, default: 50 };

export const limitParameter = {
  name: 'limit',
  in: 'query',
  description: 'How many to return at most.',
  schema: limitSchema,
  example: 25,
};

/** Without an example: the documentation page would send it, and show an empty list. */
export const cursorParameter = {
  name: 'cursor',
  in: 'query',
  description: 'Id after which the page begins: take it, with the rest of the address, from `Link`.',
  schema: uuid,
};
