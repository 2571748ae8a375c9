import document from '../../docs/openapi.json' with { type: 'json' };
import { publicText } from './http/public-text.ts';

export const handler = publicText({ type: 'application/json', text: JSON.stringify(document) });
