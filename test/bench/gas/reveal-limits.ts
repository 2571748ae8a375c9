import type { Hex } from 'viem';
import type { Route } from '../../../functions/domain/chain.ts';
import { gasLimitOf } from '../../../functions/domain/sending/batch-call.ts';
import type { Cell } from '../report/section.ts';
import type { GasChain } from './gas-chain.ts';
import { GasSender, type Item } from './gas-sender.ts';

export const limitColumns = [
  'reveal',
  'sent by',
  'rules',
  'estimate',
  'once known',
  'times',
  '1.3 × estimate',
  'it suffices',
  'the service’s',
  'the service’s suffices',
  'before the commit',
  'that suffices',
];

/** Gas that a digest known meanwhile adds to a member beside two words: cold reads, and at most an update of a word. */
const knownGas = 8_000;

/**
 * A limit before the commit, by the price of a word of storage: members known to begin with have three words and 64 bytes
 * of code, never dearer than a word, and the page has four more. Alone: six.
 */
function limitBeforeCommit(word: number, count: number): number {
  const words = count === 1 ? 6 : 4 * count + 4;
  return words * word + 21_000 + count * knownGas;
}

class RevealLimits {
  readonly #sender: GasSender;
  constructor(sender: GasSender) {
    this.#sender = sender;
  }

  async #estimate(call: Hex): Promise<number> {
    const { chain, account } = this.#sender;
    return Number(await chain.client.estimateGas({ account, ...this.#sender.envelope(call) }));
  }

  /** Tries the limit, and takes back what came of it. */
  async #suffices(call: Hex, limit: number): Promise<string> {
    const { chain, account } = this.#sender;
    const { to, data } = this.#sender.envelope(call);
    const id = await chain.client.snapshot();
    const { succeeded } = await chain.try(account, to, data, BigInt(Math.floor(limit)));
    await chain.client.revert({ id });
    return succeeded ? 'yes' : '**no**';
  }

  /** Estimates a reveal, has another's reveal of the same digests mined, and then tries the limits. */
  async row(mine: readonly Item[], others: readonly Item[]): Promise<Cell[]> {
    const [first, other] = [mine[0], others[0]];
    if (!first || !other) throw new RangeError('no attestation');
    const isAlone = mine.length === 1;
    const [own, foreign] = isAlone
      ? [this.#sender.single(first), this.#sender.single(other)]
      : [this.#sender.batch(mine), this.#sender.batch(others)];
    const { chain, account } = this.#sender;
    const word = await chain.service.wordGas(account.address);
    for (const { commit } of [own, foreign]) await this.#sender.send(commit);
    await chain.pass();
    const estimate = await this.#estimate(own.reveal);
    await this.#sender.send(foreign.reveal);
    const known = await this.#estimate(own.reveal);
    const kinds = mine.map(() => 'reveal' as const);
    const service = Number(gasLimitOf(kinds, BigInt(estimate), word));
    const limits = [Math.floor(estimate * 1.3), service, limitBeforeCommit(Number(word), mine.length)];
    const tried: Cell[] = [];
    for (const limit of limits) tried.push(limit, await this.#suffices(own.reveal, limit));
    return [estimate, known, (known / estimate).toFixed(2), ...tried];
  }
}

/** Measures whether limits of a reveal suffice when others attest the same digests between estimate and block. */
export async function revealLimits(chain: GasChain, rules: string): Promise<Cell[][]> {
  const rows: Cell[][] = [];
  for (const [number, route] of (['key', 'forwarder'] satisfies Route[]).entries()) {
    const sender = await GasSender.start(chain, number, route);
    const [author, other] = [await chain.account(200), await chain.account(201)];
    for (const authority of [author, other]) await sender.serve(authority);
    const limits = new RevealLimits(sender);
    for (const size of [1, 10, 48]) {
      const digests = Array.from({ length: size }, () => chain.word());
      const by = (authority: Hex) => digests.map((digest) => ({ authority, digest }));
      const name = size === 1 ? 'alone' : `batch of ${size}`;
      rows.push([name, route, rules, ...(await limits.row(by(author.address), by(other.address)))]);
    }
  }
  return rows;
}
