import type { Services } from '../services.ts';
import { type Delivery, maxPauseMilliseconds } from './delivery.ts';
import { webhookHeaders } from './signature.ts';
import { signingSecrets, type Webhook } from './webhook.ts';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The `Retry-After` header, unparsed. */
  readonly retryAfter?: string | undefined;
}

/** The receiver could not be reached. The message gives the reason without the URL. */
export class ReceiverUnreachableError extends Error {
  override readonly name = 'ReceiverUnreachableError';
}

/** Posts a request. @throws ReceiverUnreachableError */
export type Post = (request: WebhookRequest) => Promise<WebhookAnswer>;

export interface PostResult {
  readonly delivered: boolean;
  /** Summary of the receiver's answer, without its body, or the reason why there is none. */
  readonly answer: string;
  /** Whether the receiver is down. Any other refusal except `isGone` concerns only this event. */
  readonly isDown: boolean;
  /** Whether the receiver wants no more events. */
  readonly isGone: boolean;
  /** Pause that the receiver requests, in milliseconds, up to the maximum. */
  readonly retryAfterMilliseconds: number;
}

/**
 * Sends one event. Statuses are interpreted as Standard Webhooks suggests:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#delivery-success-and-failure
 */
export async function postEvent(
  { post, now, log }: Pick<Services, 'log' | 'now'> & { readonly post: Post },
  webhook: Webhook,
  { messageId, body }: Delivery,
): Promise<PostResult> {
  const at = now();
  const headers = webhookHeaders({ messageId, at, body }, signingSecrets(webhook, at));
  const failed = { delivered: false, isGone: false, retryAfterMilliseconds: 0 };
  try {
    return resultOf(await post({ url: webhook.url, headers, body }), now());
  } catch (error) {
    if (error instanceof ReceiverUnreachableError) return { ...failed, isDown: true, answer: error.message };
    // Any other failure concerns this request and must not delay others.
    log.error('webhook request not sent', error, { webhookId: webhook.id, messageId });
    return { ...failed, isDown: false, answer: 'the request could not be sent' };
  }
}

function resultOf({ status, retryAfter = '' }: WebhookAnswer, now: Date): PostResult {
  const delivered = status >= 200 && status < 300;
  const pause = delivered ? 0 : retryAfterMilliseconds(retryAfter, now);
  return {
    delivered,
    answer: pause === 0 ? `HTTP ${status}` : `HTTP ${status}, Retry-After ${Math.ceil(pause / 1000)} s`,
    isDown: status >= 500 || [408, 425, 429].includes(status),
    isGone: status === 410,
    retryAfterMilliseconds: pause,
  };
}

/** Parses `Retry-After` (RFC 9110, 10.2.3), up to the longest pause; 0 if absent, past or malformed. */
function retryAfterMilliseconds(header: string, now: Date): number {
  const requested = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(requested) ? 0 : Math.min(Math.max(requested, 0), maxPauseMilliseconds);
}
