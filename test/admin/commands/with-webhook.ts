import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { attestationRow, rowFields } from '../../../functions/domain/attestation/attestation-records.ts';
import type { WebhookRequest } from '../../../functions/domain/webhooks/post-event.ts';
import { queueEvents } from '../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../functions/domain/webhooks/send-due.ts';
import { FakeLog } from '../../fakes/ports/fake-log.ts';
import { changeOf, attestation as row } from '../../functions/domain/webhooks/webhook-world.ts';
import { createOrganization, FakeDeployment, runJson } from './fake-deployment.ts';

export const url = 'https://news.example.org/hooks?token=abc';

interface Answer {
  readonly retryAfter?: string;
  /** Another webhook to send to. */
  readonly id?: string;
}

/** A deployment with a webhook and its receiver. */
export async function withWebhook() {
  const deployment = new FakeDeployment();
  const org = await createOrganization(deployment);
  deployment.time = new Date(deployment.time.getTime() + 1);
  const webhook = await runJson(deployment, 'webhook', 'create', '--org', org, '--url', url);
  const heard: WebhookRequest[] = [];
  const send = (status: number, { retryAfter, id = String(webhook.id) }: Answer = {}) =>
    sendDue(
      {
        ...{ records: deployment.records, log: new FakeLog(), now: deployment.now },
        post: async (request) => {
          heard.push(request);
          return { status, retryAfter };
        },
      },
      [{ organizationId: org, id }],
    );
  const queue = async (position = 1) => {
    const failed = { status: 'failed', error: 'no delegation' } as const;
    const change = changeOf(row(position, { organizationId: org }), failed);
    await queueEvents({ records: deployment.records, log: new FakeLog(), now: deployment.now }, [change]);
    return `msg_${change.key.id}_failed`;
  };
  /** Stores an attestation without queueing its events. */
  const store = async (more: Partial<Attestation>): Promise<Attestation> => {
    const one = row(1, { ...more, organizationId: org });
    await deployment.records.update({ key: attestationRow(one), put: rowFields(one) });
    return one;
  };
  const advance = (hours: number) => {
    deployment.time = new Date(deployment.time.getTime() + hours * 3_600_000);
  };
  return { deployment, org, webhook, heard, send, queue, store, advance };
}
