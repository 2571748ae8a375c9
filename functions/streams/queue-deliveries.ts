import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { composeWebhooks } from '../adapters/compose-webhooks.ts';
import { streamImage } from '../adapters/dynamodb/stream-image.ts';
import type { RowChange } from '../domain/webhooks/event.ts';
import { queueEvents } from '../domain/webhooks/queue-events.ts';

const services = composeWebhooks(process.env);

/** Queues events without sending them, because a stream keeps records for only a day. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await queueEvents(services, Records.flatMap(rowChange));
}

function rowChange({ dynamodb = {} }: DynamoDBRecord): RowChange[] {
  const { Keys, OldImage, NewImage, ApproximateCreationDateTime: seconds } = dynamodb;
  const [organizationId, id] = [Keys?.pk?.S, Keys?.sk?.S];
  if (!organizationId || !id || !NewImage) return [];
  const at = seconds === undefined ? services.now() : new Date(seconds * 1000);
  const before = OldImage && streamImage(OldImage);
  return [{ key: { organizationId, id }, before, after: streamImage(NewImage), at }];
}
