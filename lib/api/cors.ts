import type { Settings } from '../../functions/domain/settings.ts';

type CorsSettings = Pick<Settings, 'corsOrigins'>;

/**
 * Returns the CORS headers of answers that no function makes, as API Gateway maps them. They cannot depend on the
 * origin, and these answers hold no organisation's data, so any page may read them.
 */
export function gatewayCorsHeaders({ corsOrigins }: CorsSettings): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  return {
    'Access-Control-Allow-Origin': "'*'",
    'Access-Control-Expose-Headers': "'Retry-After, x-request-id'",
  };
}
