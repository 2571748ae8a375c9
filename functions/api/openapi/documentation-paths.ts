import { type HeaderName, headerRefs } from './parts.ts';
import { gatewayResponses } from './responses.ts';

const publicOperation = { tags: ['Documentation'], security: [] };

const unchanged = (...headers: HeaderName[]) => ({
  description: 'Nothing has changed since the answer with that `ETag`.',
  headers: headerRefs(...headers),
});

/** Version of the OpenAPI specification, not of this API. */
export const openApiVersion = '3.1.1';

const documentOperation = {
  ...publicOperation,
  operationId: 'getOpenApiDocument',
  summary: 'Get this document',
  description: 'This description of the API, for tools. Needs no key.',
  responses: {
    200: {
      description: 'The document.',
      headers: headerRefs('ETag'),
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['openapi', 'info', 'paths'],
            properties: {
              openapi: { const: openApiVersion },
              info: { type: 'object' },
              paths: { type: 'object' },
            },
          },
        },
      },
    },
    304: unchanged('ETag'),
    ...gatewayResponses,
  },
};

const docsOperation = {
  ...publicOperation,
  operationId: 'getDocumentation',
  summary: 'Read this document',
  description: 'The same description as a page, for people. Needs no key, and loads nothing from elsewhere.',
  responses: {
    200: {
      description: 'The page.',
      headers: headerRefs('ETag', 'Content-Security-Policy'),
      content: { 'text/html': { schema: { type: 'string', minLength: 1 } } },
    },
    304: unchanged('ETag', 'Content-Security-Policy'),
    ...gatewayResponses,
  },
};

export const documentationPaths = {
  '/openapi.json': { get: documentOperation },
  '/docs': { get: docsOperation },
};
