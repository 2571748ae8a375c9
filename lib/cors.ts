import { Duration } from 'aws-cdk-lib';
import type { RestApiProps } from 'aws-cdk-lib/aws-apigateway';
import type { Settings } from '../functions/domain/settings.ts';

type CorsSettings = Pick<Settings, 'corsOrigins'>;

/** Gives every resource an answer to the question that a browser asks before it sends a key. */
export function preflight({ corsOrigins }: CorsSettings): Pick<RestApiProps, 'defaultCorsPreflightOptions'> {
  if (corsOrigins.length === 0) return {};
  return {
    defaultCorsPreflightOptions: {
      allowOrigins: corsOrigins,
      allowMethods: ['GET', 'POST'],
      allowHeaders: ['Authorization', 'x-api-key', 'Content-Type', 'If-None-Match'],
      // No browser keeps it for longer.
      maxAge: Duration.hours(2),
    },
  };
}

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
