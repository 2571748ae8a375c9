import type { LocalAccount } from 'viem';
import type { Route } from '../../../functions/domain/chain.ts';
import { type Cost, type GasChain, share } from './gas-chain.ts';
import { GasSender, type Item } from './gas-sender.ts';

/** What one attestation, or one link, costs in one way of making it. */
export interface CostRow {
  readonly name: string;
  readonly sentBy: string;
  readonly cost: Cost;
}

/** How to make attestations so that nothing but their own is paid: all that is first for a registry has been. */
class Attestations {
  readonly #sender: GasSender;
  readonly #authorities: readonly [LocalAccount, LocalAccount, ...LocalAccount[]];

  constructor(sender: GasSender, authorities: readonly [LocalAccount, LocalAccount, ...LocalAccount[]]) {
    this.#sender = sender;
    this.#authorities = authorities;
  }

  #items(size: number, by = 0): Item[] {
    const { address: authority } = this.#authorities[by] ?? this.#authorities[0];
    return Array.from({ length: size }, () => ({ authority, digest: this.#sender.chain.word() }));
  }

  #asMany(size: number): Item[] {
    const authorities = this.#authorities.slice(0, size);
    return authorities.map(({ address }) => ({ authority: address, digest: this.#sender.chain.word() }));
  }

  async #known(size: number): Promise<Item[]> {
    const others = this.#items(size, 1);
    await this.#sender.attest(this.#sender.batch(others));
    return others.map(({ digest }) => ({ digest, authority: this.#authorities[0].address }));
  }

  async #alone([item]: Item[]): Promise<Cost> {
    return share(item ? await this.#sender.attest(this.#sender.single(item)) : [], 1);
  }

  /** The least of three: every 256 attestations the bits that mark batches take a new word, which is no batch's own. */
  async #batch(make: () => Item[] | Promise<Item[]>): Promise<Cost> {
    const costs: Cost[] = [];
    for (let run = 0; run < 3; run += 1) {
      const items = await make();
      costs.push(share(await this.#sender.attest(this.#sender.batch(items)), items.length));
    }
    return costs.reduce((least, cost) => (cost.gas < least.gas ? cost : least));
  }

  async #linkAlone(): Promise<Cost> {
    const items = this.#items(1);
    await this.#alone(items);
    return this.#sender.link(items);
  }

  async #linkBatch(size: number): Promise<Cost> {
    const items = this.#items(size);
    await this.#sender.attest(this.#sender.batch(items));
    return share([await this.#sender.link(items)], size);
  }

  async costs(): Promise<[name: string, cost: Cost][]> {
    await this.#alone(this.#items(1));
    return [
      ['alone', await this.#alone(this.#items(1))],
      ['alone, digest attested by another', await this.#alone(await this.#known(1))],
      ['batch of 10', await this.#batch(() => this.#items(10))],
      ['batch of 48', await this.#batch(() => this.#items(48))],
      ['batch of 96', await this.#batch(() => this.#items(96))],
      ['batch of 48, as many authorities', await this.#batch(() => this.#asMany(48))],
      ['batch of 48, digests attested by another', await this.#batch(() => this.#known(48))],
      ['link, alone', await this.#linkAlone()],
      ['link, 48 of a batch in a call', await this.#linkBatch(48)],
    ];
  }
}

async function costsBy(chain: GasChain, route: Route): Promise<CostRow[]> {
  const sender = await GasSender.start(chain, route === 'key' ? 0 : 1, route);
  const [first, second, ...others] = await Promise.all(
    Array.from({ length: 48 }, (_, number) => chain.account(100 + number)),
  );
  if (!first || !second) throw new RangeError('two authorities at least');
  const authorities = [first, second, ...others] as const;
  for (const authority of authorities) await sender.serve(authority);
  const costs = await new Attestations(sender, authorities).costs();
  return costs.map(([name, cost]) => ({ name, sentBy: route, cost }));
}

/** Measures attestations by the key and through the forwarder, commit and reveal together. */
export async function attestationCosts(chain: GasChain): Promise<CostRow[]> {
  return [...(await costsBy(chain, 'key')), ...(await costsBy(chain, 'forwarder'))];
}
