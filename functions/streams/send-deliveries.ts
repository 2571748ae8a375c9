import type { DynamoDBStreamEvent } from 'aws-lambda';
import { composeWebhooks } from '../adapters/compose-webhooks.ts';
import { postWebhook } from '../adapters/webhooks/post-webhook.ts';
import { webhookOfDue } from '../domain/webhooks/delivery.ts';
import { sendDue } from '../domain/webhooks/send-due.ts';
import { listWebhooks, type WebhookKey } from '../domain/webhooks/webhook.ts';

const composed = composeWebhooks(process.env);
const services = { ...composed, post: postWebhook(composed.settings) };

/** Sends due deliveries: to the webhooks with new ones in the stream, or once a minute to all. */
export async function handler({ Records }: Partial<DynamoDBStreamEvent>): Promise<void> {
  await sendDue(services, Records ? webhooksIn(Records) : await listWebhooks(services));
}

function webhooksIn(records: DynamoDBStreamEvent['Records']): WebhookKey[] {
  const named = new Set(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? ''));
  return [...named].flatMap((pk) => webhookOfDue(pk) ?? []);
}
