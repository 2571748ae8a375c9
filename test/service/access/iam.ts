import { createHash, createHmac } from 'node:crypto';
import { endpoint } from '../stack/aws.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Calls IAM with Signature Version 4, which the emulator requires.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
export async function iam(action: string, input: Readonly<Record<string, string>> = {}): Promise<string> {
  const { url, region, credentials } = endpoint;
  const body = new URLSearchParams({ Action: action, Version: '2010-05-08', ...input }).toString();
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [time.slice(0, 8), region, 'iam', 'aws4_request'];
  const headers = `host:${new URL(url).host}\nx-amz-date:${time}\n`;
  const canonical = ['POST', '/', '', headers, 'host;x-amz-date', sha256(body)].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const signed = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n');
  const signature = hmac(key, signed).toString('hex');
  const credential = `Credential=${credentials.accessKeyId}/${scope.join('/')}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host;x-amz-date, Signature=${signature}`;
  const type = 'application/x-www-form-urlencoded';
  const request = { 'content-type': type, 'x-amz-date': time, authorization };
  const response = await fetch(`${url}/`, { method: 'POST', headers: request, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${action}: ${text}`);
  return text;
}
