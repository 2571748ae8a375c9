import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { apiEvent } from './api-events.ts';
import type { BenchContext } from './bench-context.ts';
import { CallUnexpectedError } from './probe.ts';

interface Created {
  readonly id: string;
}

const url = 'https://example.org/articles/1';

/** Posts the article of a number; the call is kept under the name. */
export async function create(
  context: BenchContext,
  name: string,
  number: number,
  status = 202,
): Promise<string> {
  const { probe, service, article } = context;
  const event = apiEvent({ apiKey: service.apiKey, body: { content: article(number), url } });
  return ((await probe.route(name, 'api/create-attestation', event, status)) as Created).id;
}

async function accept(context: BenchContext, number: number): Promise<string> {
  const { probe, service, article } = context;
  const { apiKey, strangerApiKey } = service;
  const id = await create(context, 'create, new content', number);
  await create(context, 'create, same content again', number, 200);
  const refused = apiEvent({ apiKey: strangerApiKey, body: { content: article(number) } });
  await probe.route('create, no delegation', 'api/create-attestation', refused, 409);
  await probe.route('get', 'api/get-attestation', apiEvent({ apiKey, id }), 200);
  await probe.route('list, 50 entries', 'api/list-attestations', apiEvent({ apiKey }), 200);
  await probe.route('chains, one', 'api/list-chains', apiEvent({ apiKey }), 200);
  return id;
}

type LaneEffect = 'settles' | 'sends' | 'neither';

/** Makes a call that must move the lane in exactly this way. @throws CallUnexpectedError */
async function moveLane(
  context: BenchContext,
  name: string,
  effect: LaneEffect,
  call: (tick: object) => Promise<unknown>,
) {
  const before = await context.lane();
  await call(before.tick);
  const { bound, final } = await context.lane();
  const seen = `${bound - before.bound} sent, ${final - before.final} settled`;
  const wanted = `${Number(effect === 'sends')} sent, ${Number(effect === 'settles')} settled`;
  if (seen !== wanted) throw new CallUnexpectedError(`${name}: ${seen} instead of ${wanted}`);
}

function tick(context: BenchContext, name: string, effect: LaneEffect): Promise<void> {
  return moveLane(context, name, effect, (event) => context.probe.call(name, 'workflow/advance-lane', event));
}

/** The token belongs to no execution: its answer is a request like any other, and the refusal is not an error. */
function step(context: BenchContext, name: 'Commit' | 'Reveal', id: string): Promise<void> {
  const { probe, organizationId } = context;
  const event = { organizationId, id, taskToken: `bench-${name}-${id}`, executionName: `${id}-1` };
  const file = name === 'Commit' ? 'workflow/commit' : 'workflow/reveal';
  return moveLane(context, name, 'sends', () => probe.call(name, file, event));
}

async function commitAndReveal(context: BenchContext, id: string): Promise<void> {
  const { probe, blocks, organizationId, records } = context;
  await step(context, 'Commit', id);
  await tick(context, 'AdvanceLane, one transaction not mined yet', 'neither');
  await blocks.mine();
  await tick(context, 'AdvanceLane, settling one commit', 'settles');
  await tick(context, 'AdvanceLane, nothing owed', 'neither');
  const row = await findAttestation(records, { organizationId, id });
  await blocks.mineAt(Date.parse(row?.revealAt ?? '') / 1000);
  await step(context, 'Reveal', id);
  await blocks.mine();
  await tick(context, 'AdvanceLane, settling one reveal', 'settles');
  await probe.call('Confirm', 'workflow/confirm', { organizationId, id });
}

async function link(context: BenchContext, id: string, childAttestationId: string): Promise<void> {
  const { probe, blocks, service } = context;
  const event = apiEvent({ apiKey: service.apiKey, id, body: { childAttestationId } });
  await probe.route('link, new', 'api/link-child', event, 202);
  await probe.route('link, same child while queued', 'api/link-child', event, 202);
  await tick(context, 'AdvanceLane, sending one link', 'sends');
  await blocks.mine();
  await tick(context, 'AdvanceLane, settling one link', 'settles');
  await probe.route('link, same child once landed', 'api/link-child', event, 200);
}

/**
 * Measures one attestation from creation to its child link, with every call kept. The sweep comes first: a row is due a
 * minute after its creation.
 *
 * @returns its id
 */
export async function measureLife(context: BenchContext, number: number, childId: string): Promise<string> {
  const { probe } = context;
  await probe.call('Sweep, nothing due', 'workflow/sweep', {});
  probe.expectNone('StartExecution');
  const id = await accept(context, number);
  await commitAndReveal(context, id);
  const asked = apiEvent({ apiKey: context.service.apiKey, id });
  await probe.route('proof, confirmed', 'api/get-proof', asked, 200);
  await link(context, id, childId);
  return id;
}
