import { attestationsPaths } from './attestations-paths.ts';
import { chainsPaths } from './chains-paths.ts';
import { componentSchemas } from './components.ts';
import { documentationPaths, openApiVersion } from './documentation-paths.ts';
import { oneAttestationPaths } from './one-attestation-paths.ts';
import { headers } from './parts.ts';
import { sharedRefusals } from './responses.ts';

const info = {
  title: 'Imprimatur',
  version: '1',
  summary: 'Attests on an EVM chain who published a text, and when.',
  description:
    "Post a text; the service computes its CID and attests it on a chain, as the delegate of your organization's " +
    'authority. Anyone can then verify the tuple (`contentCid`, `chainId`, `authorityAddress`, `attestationIndex`) ' +
    'without this service.\n\n' +
    'Every refusal is a JSON object with an `error` message. Every response has an `x-request-id`. An unknown route ' +
    'returns 404 `{ "error": "not found" }`. A known route with another method returns 405 ' +
    '`{ "error": "method not allowed" }`, with its methods in `Allow`.\n\nChanges within `/v1` only add.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      '**Paste only the API key**, `imp_live_…` or `imp_test_…`; the local one is `apiKey` in `.local/stack.json`. ' +
      'Programs send it as `Authorization: Bearer <key>`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key in a separate header. One of the two is enough.',
  },
};

const tags = [
  { name: 'Attestations', description: 'Attest texts and follow them to the chain.' },
  { name: 'Chains', description: 'The chains, and the address to delegate to on each.' },
  { name: 'Documentation', description: 'This description of the API.' },
];

/** The server is relative, because stages, emulators and domains have different prefixes. */
export function openApiDocument() {
  return {
    openapi: openApiVersion,
    info,
    servers: [{ url: '.', description: 'Where this document is served from' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags,
    paths: { ...attestationsPaths, ...oneAttestationPaths, ...chainsPaths, ...documentationPaths },
    components: { schemas: componentSchemas(), responses: sharedRefusals, headers, securitySchemes },
  };
}
