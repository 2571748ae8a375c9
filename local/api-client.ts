import { setTimeout as sleep } from 'node:timers/promises';
import { PlainError } from './plain-error.ts';
import type { StackFile } from './stack-file.ts';

/** The Attestation of the interface document, as far as the local tools read it. */
export interface Attestation {
  readonly id: string;
  readonly chainId: number;
  readonly authorityAddress: string;
  readonly contentCid: string;
  readonly status: 'pending' | 'committed' | 'confirmed' | 'failed';
  readonly commitTxHash?: string;
  readonly revealTxHash?: string;
  readonly attestationIndex?: number;
  readonly error: string | null;
  readonly createdAt: string;
  readonly confirmedAt?: string;
}

/** The API answered with something else than an attestation. */
export class ApiRefusalError extends PlainError {
  override readonly name = 'ApiRefusalError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(`the API answered ${status}: ${message}`);
    this.status = status;
  }
}

export interface ApiClient {
  /** Whether the attestation is new, and the attestation in short. @throws ApiRefusalError */
  create(request: object): Promise<{ created: boolean; id: string }>;
  /** @throws ApiRefusalError */
  get(id: string): Promise<Attestation>;
  /** That attestation and all that the organisation made after it, the newest first. @throws ApiRefusalError */
  listFrom(id: string): Promise<Attestation[]>;
}

/** Load and a moment's trouble pass: these are asked again, which is safe for every route. */
const passing = new Set([429, 500, 502, 503, 504]);

const firstPage = '?limit=200';

const nextPage = ({ headers }: Response): string | undefined =>
  /\/v1\/attestations(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Ids sort by time. */
const isBefore = (attestation: Attestation | undefined, id: string): boolean =>
  attestation !== undefined && attestation.id < id;

/** Speaks to a stack's API over HTTP with its key, and asks again while a refusal may pass. */
export function apiClient({ apiUrl, apiKey }: Pick<StackFile, 'apiUrl' | 'apiKey'>, tries = 20): ApiClient {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit, attempt = 1): Promise<Response> => {
    const response = await fetch(`${apiUrl}${path}`, {
      ...init,
      headers,
      signal: AbortSignal.timeout(60_000),
    });
    if (response.ok) return response;
    const body = await response.text();
    if (!passing.has(response.status) || attempt >= tries) throw new ApiRefusalError(response.status, body);
    await sleep(1000 * (Number(response.headers.get('retry-after')) || Math.min(attempt, 5) * 0.3));
    return ask(path, init, attempt + 1);
  };
  return {
    async create(request) {
      const response = await ask('/v1/attestations', { method: 'POST', body: JSON.stringify(request) });
      const { id } = (await response.json()) as Attestation;
      return { created: response.status === 202, id };
    },
    async get(id) {
      const response = await ask(`/v1/attestations/${id}`, {});
      return (await response.json()) as Attestation;
    },
    async listFrom(id) {
      const listed: Attestation[] = [];
      for (let query: string | undefined = firstPage; query; ) {
        const response = await ask(`/v1/attestations${query}`, {});
        const { attestations } = (await response.json()) as { attestations: Attestation[] };
        listed.push(...attestations);
        query = isBefore(attestations.at(-1), id) ? undefined : nextPage(response);
      }
      return listed.filter((attestation) => !isBefore(attestation, id));
    },
  };
}
