import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from './cors.ts';
import { deployedSettings } from './deployed-settings.ts';
import { commonHeaders, entityTag, matchesTag } from './reply.ts';
import { headerOf } from './route.ts';

interface PublicText {
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a route that needs no key and returns the same text to all until the next deployment. */
export function publicText({ type, text, headers }: PublicText) {
  const { corsOrigins = [] } = deployedSettings();
  const etag = entityTag(text);
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const known = matchesTag(headerOf(event, 'if-none-match'), etag);
    const { requestId } = event.requestContext;
    return {
      statusCode: known ? 304 : 200,
      headers: {
        ...commonHeaders,
        ...headers,
        ...corsHeaders(corsOrigins, headerOf(event, 'origin')),
        ...{ 'Content-Type': type, ETag: etag, 'x-request-id': requestId },
      },
      body: known ? '' : text,
    };
  };
}
