/** A request to a route: the parts that handlers read. */
export interface ApiRequest {
  readonly apiKey: string;
  readonly id?: string;
  readonly body?: object;
  readonly query?: Record<string, string>;
}

/** Makes an event of the REST API (Lambda proxy integration). */
export function apiEvent({ apiKey, id, body, query }: ApiRequest): object {
  return {
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    pathParameters: id === undefined ? null : { id },
    queryStringParameters: query ?? null,
    requestContext: { requestId: 'bench', path: '/live/v1/attestations' },
  };
}
