import type { Attestation, Chain } from 'imprimatur-client';
import type { Page, Route } from 'playwright-core';

export const chain: Chain = {
  chainId: 8453,
  name: 'Base',
  registryAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  authorityAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  delegateAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  delegationActive: true,
};

export const attestation: Attestation = {
  id: '018f0000-0000-7000-8000-000000000001',
  status: 'confirmed',
  contentCid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  chainId: 8453,
  authorityAddress: chain.authorityAddress,
  registryAddress: chain.registryAddress,
  attestationIndex: 1,
  error: null,
  childAttestationId: null,
  childLinkTxHash: null,
  createdAt: '2026-11-28T06:00:00.000Z',
  confirmedAt: '2026-11-28T06:01:30.000Z',
};

export const fakeUrl = 'https://service.example';

/** An answer of the fake service, or `hang up` for none. */
export type FakeAnswer =
  | readonly [status: number, body: object, headers?: Record<string, string>]
  | 'hang up';

/** The service as the page sees it: each route has a list of answers, and the last one repeats. */
export class FakeService {
  readonly #answers = new Map<string, FakeAnswer[]>();
  /** Requests, each as method and path. */
  readonly received: string[] = [];

  /** @param route method and path, such as `GET chains` */
  answer(route: string, ...answers: FakeAnswer[]): this {
    this.#answers.set(route, answers);
    return this;
  }

  async install(page: Page): Promise<void> {
    await page.route(`${fakeUrl}/**`, (route) => this.#reply(route));
  }

  async #reply(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    const name = `${route.request().method()} ${pathname.replace('/v1/', '')}`;
    this.received.push(name);
    const answers = this.#answers.get(name) ?? [[404, { error: 'not found' }]];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer === 'hang up') return route.abort();
    const [status, body, headers = {}] = answer;
    await route.fulfill({
      status,
      json: body,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Location, Link, Retry-After, ETag, x-request-id',
        ...headers,
      },
    });
  }
}
