import { endpoint } from '../stack/aws.ts';
import type { Body } from '../stack/http-client.ts';
import { article, newPublisher, type Publisher } from '../stack/publisher.ts';
import { signedFetch } from '../stack/signed-fetch.ts';
import { queueUnheard, queueUnserved, unheardWebhook } from './stored-work.ts';

/** Calls of a function that need all that its role allows, as far as one can bring that about from outside. */
export type Exercises = Readonly<Record<string, () => Promise<unknown>>>;

async function functionNames(): Promise<string[]> {
  const path = '/2015-03-31/functions/';
  const response = await signedFetch(endpoint, { service: 'lambda', method: 'GET', path });
  const { Functions } = (await response.json()) as { Functions: { FunctionName: string }[] };
  return Functions.map(({ FunctionName }) => FunctionName);
}

/** Invokes a function of the workflow by its construct id. */
async function invoke(id: string, event: object): Promise<void> {
  const name = (await functionNames()).find((one) => one.includes(`-Workflow${id}`));
  const path = `/2015-03-31/functions/${name}/invocations`;
  await signedFetch(endpoint, { service: 'lambda', path, body: JSON.stringify(event) });
}

/** A publisher with confirmed attestations, none of which has a child yet, and all that was posted since. */
export interface Exercised {
  readonly exercises: Exercises;
  readonly publisher: Publisher;
  readonly posted: readonly Body[];
}

export async function prepareExercises(parents: number): Promise<Exercised> {
  const [publisher, stranger] = await Promise.all([newPublisher(), newPublisher({ delegated: false })]);
  const { api, organizationId } = publisher;
  await unheardWebhook(organizationId);
  const attested = await Promise.all(Array.from({ length: parents + 1 }, () => api.attest(article())));
  const [shown] = attested;
  const shownKey = { organizationId, id: String(shown?.id) };
  let links = 0;
  const posted: Body[] = [];
  const post = async (content = article()) => {
    const { body } = await api.create({ content });
    if (typeof body.id === 'string') posted.push(body);
    return body;
  };
  const attest = () => post();
  const exercises: Exercises = {
    ListChains: () => api.send('GET', '/v1/chains'),
    CreateAttestation: async () => {
      const content = article();
      await post(content);
      // The same again finds its execution running; a stranger's delegation is looked up anew.
      await post(content);
      await stranger.api.create({ content });
    },
    ListAttestations: async () => {
      await api.list();
      // What is looked up is then read by its ids.
      await api.list(`?contentCid=${shown?.contentCid}`);
    },
    GetAttestation: () => api.get(shown?.id),
    GetProof: () => api.send('GET', `/v1/attestations/${shown?.id}/proof`),
    QuotePassage: () => api.quote(shown?.id, 'a fresh article'),
    // Each time another wish, also after each parent had its turn: only a new one is queued.
    LinkChild: () => {
      const [parent, round] = [links % attested.length, Math.floor(links / attested.length)];
      links++;
      const child = (parent + 1 + (round % (attested.length - 1))) % attested.length;
      return api.link(attested[parent]?.id, attested[child]?.id);
    },
    ...{ Commit: attest, Reveal: attest, Confirm: attest, AdvanceLane: attest },
    QueueDeliveries: attest,
    SendDeliveries: () => queueUnheard(shownKey),
    // An operation that a lane takes is bound before Fail sees it.
    Fail: async () => {
      const key = await queueUnserved(shownKey);
      await invoke('Fail', { ...key, error: 'exercise', executionName: 'exercise' });
    },
    Sweep: () => invoke('Sweep', {}),
  };
  return { exercises, publisher, posted };
}
