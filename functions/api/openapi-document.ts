import document from '../../docs/openapi.json' with { type: 'json' };
import { publicText } from './http/public-text.ts';

/** Handler of GET /openapi.json. */
export const handler = publicText({ type: 'application/json', text: JSON.stringify(document) });
