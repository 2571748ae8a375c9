import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { v7 as uuidv7 } from 'uuid';
import type { Address } from 'viem';
import type { Attestation, AttestationKey } from '../../../functions/domain/attestation/attestation.ts';
import {
  attestationRow,
  findAttestation,
  rowFields,
} from '../../../functions/domain/attestation/attestation-records.ts';
import { putOperation, queueOf } from '../../../functions/domain/lane/queue-records.ts';
import { queueDelivery } from '../../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../../functions/domain/webhooks/event.ts';
import { createWebhook, type Webhook } from '../../../functions/domain/webhooks/webhook.ts';
import { clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { endpoint, records } from '../stack/aws.ts';
import { article, newPublisher } from '../stack/publisher.ts';

/** Calls of each function that need the grants of its role, as far as possible from outside. */
export type Exercises = Readonly<Record<string, () => Promise<unknown>>>;

const lambda = new LambdaClient(clientOptions(endpoint));

async function invoke(id: string, event: object): Promise<void> {
  const { Functions: functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const FunctionName = functions.find((one) => one.FunctionName?.includes(`-Workflow${id}`))?.FunctionName;
  await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
}

/** Prepares work for each function, with a publisher's confirmed attestations that have no child yet. */
export async function prepareExercises(parents: number): Promise<Exercises> {
  const [publisher, stranger] = await Promise.all([newPublisher(), newPublisher({ delegated: false })]);
  const { api, organizationId } = publisher;
  await unreachableWebhook(organizationId);
  const attested = await Promise.all(Array.from({ length: parents + 1 }, () => api.attest(article())));
  const [shown] = attested;
  const shownKey = { organizationId, id: String(shown?.id) };
  let links = 0;
  const attest = () => api.create({ content: article() });
  return {
    ListChains: () => api.send('GET', '/v1/chains'),
    CreateAttestation: async () => {
      const content = article();
      await api.create({ content });
      // The second request finds the running execution. The stranger's request reads a delegation.
      await api.create({ content });
      await stranger.api.create({ content });
    },
    ListAttestations: async () => {
      await api.list();
      // The filter returns ids, by which the rows are then read.
      await api.list(`?contentCid=${shown?.contentCid}`);
    },
    GetAttestation: () => api.get(shown?.id),
    GetProof: () => api.send('GET', `/v1/attestations/${shown?.id}/proof`),
    QuotePassage: () => api.quote(shown?.id, 'a fresh article'),
    // A new child each time, because only a new link is queued.
    LinkChild: () => {
      const [parent, round] = [links % attested.length, Math.floor(links / attested.length)];
      links++;
      const child = (parent + 1 + (round % (attested.length - 1))) % attested.length;
      return api.link(attested[parent]?.id, attested[child]?.id);
    },
    ...{ Commit: attest, Reveal: attest, Confirm: attest, AdvanceLane: attest },
    QueueDeliveries: attest,
    SendDeliveries: () => queueUnreachable(shownKey),
    // A lane would bind the operation before Fail.
    Fail: async () => {
      const key = await queueUnserved(shownKey);
      await invoke('Fail', { ...key, error: 'exercise', executionName: 'exercise' });
    },
    Sweep: () => invoke('Sweep', {}),
  };
}

const unserved: Address = '0x000000000000000000000000000000000000dEaD';

/** Creates a webhook without a listener: each event is tried, and due again. */
function unreachableWebhook(organizationId: string): Promise<Webhook> {
  const url = new URL('http://127.0.0.1:9/');
  return createWebhook({ records }, { organizationId, url, now: new Date() });
}

async function readStored(key: AttestationKey): Promise<Attestation> {
  const row = await findAttestation(records, key);
  if (!row) throw new Error(`there is no attestation ${key.id}`);
  return row;
}

/** Queues an attestation's events for a new webhook, because the lease of another one may still be held. */
async function queueUnreachable(key: AttestationKey): Promise<void> {
  const webhook = await unreachableWebhook(uuidv7());
  const now = new Date();
  for (const event of pastEvents(await readStored(key), now))
    await queueDelivery(records, webhook, event, now);
}

/** Stores a copy of an attestation, and puts the copy's commit into a queue without a lane. @returns the copy's key */
async function queueUnserved(original: AttestationKey): Promise<AttestationKey> {
  const { revealPhase: _, ...row } = await readStored(original);
  const now = new Date();
  const round = now.getTime();
  const key = { organizationId: original.organizationId, id: uuidv7() };
  const waiting = {
    ...row,
    ...key,
    delegateAddress: unserved,
    status: 'pending',
    commitPhase: 'queued',
  } as const;
  const attestation: Attestation = { ...waiting, commitRound: round };
  await records.transact([
    { key: attestationRow(key), put: rowFields(attestation) },
    putOperation(queueOf(attestation, 'commit'), {
      ...{ ...key, kind: 'commit', queuedAt: now.toISOString(), round },
    }),
  ]);
  return key;
}
