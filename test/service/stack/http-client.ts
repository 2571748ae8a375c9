import { setTimeout as pause } from 'node:timers/promises';
import { stack } from './running-stack.ts';

export type Body = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; empty when there is none. */
  readonly body: Body;
}

const pollMilliseconds = 500;

export class HttpClient {
  readonly #headers: Record<string, string>;

  constructor(apiKey?: string) {
    this.#headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const response = await fetch(`${stack.apiUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      ...{ status: response.status, headers: response.headers, text },
      body: text === '' ? {} : JSON.parse(text),
    };
  }

  create(body: unknown): Promise<Answer> {
    return this.send('POST', '/v1/attestations', body);
  }

  get(id: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', `/v1/attestations/${id}`, undefined, headers);
  }

  list(query = ''): Promise<Answer> {
    return this.send('GET', `/v1/attestations${query}`);
  }

  link(id: unknown, childAttestationId: unknown): Promise<Answer> {
    return this.send('POST', `/v1/attestations/${id}/child`, { childAttestationId });
  }

  quote(id: unknown, passage: unknown): Promise<Answer> {
    return this.send('POST', `/v1/attestations/${id}/quotes`, { passage });
  }

  /** Polls until the attestation matches, or the test times out. */
  async until(id: unknown, reached: (attestation: Body) => boolean): Promise<Body> {
    for (;;) {
      const { body } = await this.get(id);
      if (reached(body)) return body;
      await pause(pollMilliseconds);
    }
  }

  async attest(content: string): Promise<Body> {
    const { body } = await this.create({ content });
    return this.until(body.id, ({ status }) => status === 'confirmed' || status === 'failed');
  }
}
