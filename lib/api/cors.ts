import type { Settings } from '../../functions/domain/settings.ts';

type CorsSettings = Pick<Settings, 'corsOrigins'>;

/**
 * For answers that no function makes, as API Gateway maps them. They cannot choose between origins, and hold nothing
 * of anyone, so any page may read them.
 */
export function gatewayCorsHeaders({ corsOrigins }: CorsSettings): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  return {
    'Access-Control-Allow-Origin': "'*'",
    'Access-Control-Expose-Headers': "'Retry-After, x-request-id'",
  };
}
