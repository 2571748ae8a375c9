import { createHash, createHmac } from 'node:crypto';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';

/** Request to a service of AWS that has no client among the packages. */
export interface SignedRequest {
  /** Name of the service in signatures, such as `logs`. */
  readonly service: string;
  /** Path and query as they are sent; the query's names in the order of the alphabet. */
  readonly path?: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Sends a request with Signature Version 4, which an emulator that enforces IAM demands.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export function signedFetch(endpoint: AwsEndpoint, request: SignedRequest): Promise<Response> {
  const { method = 'POST', path = '/', headers = {}, body = '' } = request;
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${endpoint.region}/${request.service}/aws4_request`;
  const signed = { host: new URL(endpoint.url).host, 'x-amz-date': time };
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const names = Object.keys(signed).join(';');
  const [plainPath, query = ''] = path.split('?');
  const canonical = [method, plainPath, query, lines.join(''), names, sha256(body)].join('\n');
  const [date = '', ...rest] = scope.split('/');
  const key = rest.reduce(hmac, hmac(`AWS4${endpoint.credentials.secretAccessKey}`, date));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  const credential = `Credential=${endpoint.credentials.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return fetch(`${endpoint.url}${path}`, {
    method,
    headers: { ...headers, 'x-amz-date': time, authorization },
    ...(body === '' ? {} : { body }),
  });
}
