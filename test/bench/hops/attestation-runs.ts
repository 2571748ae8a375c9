import { setTimeout as pause } from 'node:timers/promises';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import type { FunctionFile } from '../../../lib/access/function-access.ts';
import type { RecordedRequest } from './counting-proxy.ts';
import type { IdleService } from './idle-service.ts';

export interface Measurement {
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
}

/** A call had a different effect than expected, so its numbers are not valid. */
class CallUnexpectedError extends Error {
  override readonly name = 'CallUnexpectedError';
}

/** The parts of a route's request that handlers read. */
interface ApiRequest {
  readonly apiKey?: string;
  readonly id?: string;
  readonly body?: object;
}

/** Runs attestations from creation to link, one call of a function after another, and measures the calls. */
export class AttestationRuns {
  readonly #service: IdleService;
  readonly #text: string;
  #measured: Measurement[] = [];

  constructor(service: IdleService, text: string) {
    this.#service = service;
    this.#text = text;
  }

  /** Posts the article of a number. @returns its id */
  async create(number: number, name = 'create, new content', status = 202): Promise<string> {
    const content = `${this.#text}\n${number}\n`;
    const body = { content, url: 'https://example.org/articles/1' };
    const created = await this.#route(name, 'api/create-attestation', { body }, status);
    return (created as { id: string }).id;
  }

  /** Returns the measurements since its last call. */
  takeMeasurements(): Measurement[] {
    const taken = this.#measured;
    this.#measured = [];
    return taken;
  }

  /** Runs an attestation from creation to a child link. The sweep comes first: a row is due a minute after its creation. */
  async run(number: number, childAttestationId: string): Promise<void> {
    await this.#call('Sweep, nothing due', 'workflow/sweep', {});
    if (this.#measured.at(-1)?.requests.some(({ operation }) => operation === 'StartExecution'))
      throw new CallUnexpectedError('the sweep found something due');
    const id = await this.#accept(number);
    await this.#commitAndReveal(id);
    await this.#route('proof, confirmed', 'api/get-proof', { id });
    await this.#link(id, childAttestationId);
  }

  async #accept(number: number): Promise<string> {
    const id = await this.create(number);
    await this.create(number, 'create, same content again', 200);
    const foreign = { apiKey: this.#service.undelegatedApiKey, body: { content: this.#text } };
    await this.#route('create, no delegation', 'api/create-attestation', foreign, 409);
    await this.#route('get', 'api/get-attestation', { id });
    await this.#route('list, 50 entries', 'api/list-attestations', {});
    await this.#route('chains, one', 'api/list-chains', {});
    return id;
  }

  async #commitAndReveal(id: string): Promise<void> {
    const { organizationId, records, mine } = this.#service;
    await this.#step('Commit', 'workflow/commit', id);
    await this.#tick('AdvanceLane, one transaction not mined yet', 'neither');
    await mine();
    await this.#tick('AdvanceLane, settling one commit', 'settles');
    await this.#tick('AdvanceLane, nothing owed', 'neither');
    const row = await findAttestation(records, { organizationId, id });
    // The node takes the time of a block from the clock.
    await pause(Math.max(0, Date.parse(row?.revealAt ?? '') + 1000 - Date.now()));
    await mine();
    await this.#step('Reveal', 'workflow/reveal', id);
    await mine();
    await this.#tick('AdvanceLane, settling one reveal', 'settles');
    await this.#call('Confirm', 'workflow/confirm', { organizationId, id });
  }

  async #link(id: string, childAttestationId: string): Promise<void> {
    const link = (name: string, status: number) =>
      this.#route(name, 'api/link-child', { id, body: { childAttestationId } }, status);
    await link('link, new', 202);
    await link('link, same child while queued', 202);
    await this.#tick('AdvanceLane, sending one link', 'sends');
    await this.#service.mine();
    await this.#tick('AdvanceLane, settling one link', 'settles');
    await link('link, same child once final', 200);
  }

  async #call(name: string, file: FunctionFile, event: object): Promise<unknown> {
    const { recorded } = this.#service;
    recorded.length = 0;
    const result = await this.#service.call({ file, event });
    this.#measured.push({ name, requests: [...recorded] });
    return result;
  }

  /** Calls a route. @returns the body. @throws CallUnexpectedError when the status differs */
  async #route(name: string, file: FunctionFile, request: ApiRequest, status = 200): Promise<unknown> {
    const { apiKey = this.#service.apiKey, id, body } = request;
    const event = {
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      isBase64Encoded: false,
      pathParameters: id ? { id } : null,
      queryStringParameters: null,
      requestContext: { requestId: 'bench', path: '/live/v1/attestations' },
    };
    const answer = (await this.#call(name, file, event)) as { statusCode: number; body: string };
    if (answer.statusCode === status) return JSON.parse(answer.body);
    throw new CallUnexpectedError(`${name}: ${answer.statusCode} instead of ${status}: ${answer.body}`);
  }

  #step(name: 'Commit' | 'Reveal', file: FunctionFile, id: string): Promise<void> {
    const { organizationId } = this.#service;
    const event = { organizationId, id, taskToken: `bench-${name}-${id}`, executionName: `${id}-1` };
    return this.#callWithEffect(name, 'sends', file, () => event);
  }

  #tick(name: string, effect: 'settles' | 'sends' | 'neither'): Promise<void> {
    return this.#callWithEffect(name, effect, 'workflow/advance-lane', (tick) => tick);
  }

  /** Makes a call that must have exactly this effect on the lane. @throws CallUnexpectedError */
  async #callWithEffect(name: string, effect: string, file: FunctionFile, eventOf: (tick: object) => object) {
    const before = await this.#lane();
    await this.#call(name, file, eventOf(before.tick));
    const { bound, final } = await this.#lane();
    const seen = `${bound - before.bound} sent, ${final - before.final} settled`;
    const wanted = `${Number(effect === 'sends')} sent, ${Number(effect === 'settles')} settled`;
    if (seen !== wanted) throw new CallUnexpectedError(`${name}: ${seen} instead of ${wanted}`);
  }

  /** Reads the numbers of bound and of final transactions, and makes the input of the lane's next tick. */
  async #lane() {
    const { records, chainId, signerAddress } = this.#service;
    const lane = laneName(chainId, signerAddress);
    const { nextNonce = 0, finalNonce = 0, run = 1 } = (await findLaneState(records, lane)) ?? {};
    return { bound: nextNonce, final: finalNonce, tick: { lane, run, turn: 0 } };
  }
}
