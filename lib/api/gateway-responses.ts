import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Settings } from '../../functions/domain/settings.ts';

interface GatewayAnswer {
  readonly types: readonly ResponseType[];
  readonly statusCode?: string;
  readonly error: string;
  readonly retryAfterSeconds?: number;
}

/** Answers of API Gateway itself, when no function answers. */
const answers: readonly GatewayAnswer[] = [
  {
    // The gateway's answer to a request without a route, in case the function for such requests does not get it.
    types: [
      ResponseType.MISSING_AUTHENTICATION_TOKEN,
      ResponseType.INVALID_SIGNATURE,
      ResponseType.RESOURCE_NOT_FOUND,
    ],
    statusCode: '404',
    error: 'not found',
  },
  {
    types: [ResponseType.BAD_REQUEST_BODY, ResponseType.BAD_REQUEST_PARAMETERS],
    statusCode: '400',
    error: 'bad request',
  },
  { types: [ResponseType.ACCESS_DENIED], statusCode: '403', error: 'forbidden' },
  { types: [ResponseType.REQUEST_TOO_LARGE], statusCode: '413', error: 'request body too large' },
  {
    types: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    statusCode: '429',
    error: 'rate limit exceeded',
    retryAfterSeconds: 1,
  },
  {
    // No status: one set here would apply to every 4xx answer that is not listed above.
    types: [ResponseType.DEFAULT_4XX],
    error: 'request refused',
  },
  {
    types: [ResponseType.INTEGRATION_FAILURE, ResponseType.INTEGRATION_TIMEOUT, ResponseType.DEFAULT_5XX],
    error: 'internal error',
  },
];

interface GatewayResponsesProps extends Pick<Settings, 'corsOrigins'> {
  /** Whether a web ACL of the stack limits the requests of an address. */
  readonly limitsAddresses: boolean;
}

/** Returns the answer of a web ACL. The stack's own only limits the request rate; another's reasons are unknown. */
function webAclAnswer({ limitsAddresses }: GatewayResponsesProps): GatewayAnswer {
  const types = [ResponseType.WAF_FILTERED];
  if (!limitsAddresses) return { types, statusCode: '403', error: 'forbidden' };
  return { types, statusCode: '429', error: 'rate limit exceeded', retryAfterSeconds: 60 };
}

/** Gives the gateway's own responses the shape and headers of the service. */
export function addGatewayResponses(api: RestApi, props: GatewayResponsesProps): void {
  for (const { types, statusCode, error, retryAfterSeconds } of [...answers, webAclAnswer(props)]) {
    for (const type of types) {
      api.addGatewayResponse(type.responseType, {
        type,
        ...(statusCode && { statusCode }),
        responseHeaders: {
          'Cache-Control': "'private, no-cache'",
          'Strict-Transport-Security': "'max-age=31536000'",
          'X-Content-Type-Options': "'nosniff'",
          'x-request-id': 'context.requestId',
          ...corsHeaders(props),
          ...(retryAfterSeconds && { 'Retry-After': `'${retryAfterSeconds}'` }),
        },
        templates: { 'application/json': JSON.stringify({ error }) },
      });
    }
  }
}

/** CORS headers as API Gateway maps them. They cannot depend on the origin; these answers contain no organization's data. */
function corsHeaders({ corsOrigins }: GatewayResponsesProps): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  return {
    'Access-Control-Allow-Origin': "'*'",
    'Access-Control-Expose-Headers': "'Retry-After, x-request-id'",
  };
}
