import { request as requestHttp } from 'node:http';
import {
  AddressPrivateError,
  lookupPublic,
  type PublicNetwork,
  publicInternet,
} from 'imprimatur-verifier/network';
import type { Settings } from '../../domain/settings.ts';
import {
  type Post,
  ReceiverUnreachableError,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../domain/webhooks/post-event.ts';
import { isLoopback, parseWebhookUrl, WebhookUrlRefusedError } from '../../domain/webhooks/webhook.ts';

const userAgent = 'imprimatur-webhooks/1';

/**
 * Posts only to the public internet, at the address that was checked, or to loopback if the settings allow it.
 * It follows no redirect and reads no body.
 */
export function postWebhook(
  settings: Pick<Settings, 'loopbackWebhooks'>,
  overrides: Partial<PublicNetwork> = {},
): Post {
  const network = { ...publicInternet, ...overrides };
  const lookupAddress = lookupPublic(network.resolve, network.isPublic);
  return async (webhook) => {
    const url = checkedUrl(webhook, settings);
    const { headers, body } = webhook;
    const loopback = isLoopback(url);
    const open = loopback ? requestHttp : network.request;
    return sendRequest(
      (signal) =>
        open(url, {
          method: 'POST',
          signal,
          // A separate agent: no reused connection from another look-up, and no proxy from the environment.
          agent: false,
          ...(!loopback && { lookup: lookupAddress }),
          headers: {
            ...headers,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            'user-agent': userAgent,
          },
        }),
      body,
      network.timeoutMilliseconds,
    );
  };
}

/** A stored URL is checked again: the settings may have changed, or a tool may have written it. */
function checkedUrl({ url }: WebhookRequest, settings: Pick<Settings, 'loopbackWebhooks'>): URL {
  try {
    return parseWebhookUrl(url, settings);
  } catch (error) {
    if (error instanceof WebhookUrlRefusedError) throw new ReceiverUnreachableError(error.message);
    throw error;
  }
}

function sendRequest(
  open: (signal: AbortSignal) => ReturnType<typeof requestHttp>,
  body: string,
  timeoutMilliseconds: number,
): Promise<WebhookAnswer> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown) => {
      const message = signal.aborted ? `no answer in ${timeoutMilliseconds / 1000} s` : describeError(error);
      reject(new ReceiverUnreachableError(message, { cause: error }));
    };
    // A name look-up cannot be aborted and may outlast the request.
    signal.addEventListener('abort', refuse);
    const sent = open(signal);
    sent.once('response', (response) => {
      response.on('error', () => {});
      response.destroy();
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
    });
    sent.on('error', refuse);
    sent.end(body);
  });
}

/** A fixed description for the operator: Node's messages contain host names and addresses. */
function describeError(error: unknown): string {
  if (error instanceof AddressPrivateError) return 'the domain resolves to an address that is not public';
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return `not reached: ${code}`;
}
