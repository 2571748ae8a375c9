import { type Address, encodeFunctionData, type Hex, slice, zeroAddress, zeroHash } from 'viem';
import type { Call } from '../../../../functions/domain/chain.ts';
import { seededRandom } from '../../../../test/fakes/ports/seeded-random.ts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import { type Draft, draft, hash, revealArguments, saltedHash } from '../attest.ts';
import { batchArguments, batchHash, type Member } from '../batch.ts';
import { executeCalldata } from '../forwarder.ts';

/** Values of random calls; few of each, so that calls affect each other. */
export interface CallValues {
  readonly accounts: readonly Address[];
  readonly operator: Address;
  readonly registryAddress: Address;
  readonly forwarderAddress: Address;
  readonly digests: readonly Hex[];
}

/** A call and the time of its block, in seconds since 1970. */
export interface TimedCall extends Call {
  readonly timestamp: number;
}

const day = 86_400;
const usualPauses = [1, 1, 1, 7, 30, 30, 60, 60, 61, 61, 90, day];

/** Malformed data: truncated, with a dirty address, with an unknown selector, or empty. */
const malformedData = (data: Hex): readonly Hex[] => [
  slice(data, 0, Math.max(4, (data.length - 2) / 2 - 1)),
  slice(data, 0, 4),
  encodeFunctionData({ abi, functionName: 'delegate', args: [zeroAddress] }).replace(
    /0{64}$/,
    'f'.repeat(64),
  ) as Hex,
  '0x12345678',
  '0x1234',
  '0x',
];

/** Random calls of a registry and a forwarder from a seed; many of them fail. */
export class RandomCalls {
  readonly #below: (bound: number) => number;
  readonly #values: CallValues;
  /** Committed drafts with their times. */
  readonly #committed: (Draft & { readonly committedAt: number })[] = [];
  /** Committed batches with their times. */
  readonly #batches: {
    readonly sender: Address;
    readonly members: readonly Member[];
    readonly committedAt: number;
  }[] = [];
  /** Times of reveals. */
  readonly #revealed: number[] = [];
  #now: number;
  #last: Call | undefined;

  constructor(seed: number, values: CallValues, now: number) {
    this.#below = seededRandom(seed);
    this.#values = values;
    this.#now = now;
  }

  /** Makes the next call, sometimes the last one again. */
  next(): TimedCall {
    const timestamp = this.#advanceTime();
    this.#last = (this.#oneIn(5) ? this.#last : undefined) ?? this.#call();
    return { ...this.#last, timestamp };
  }

  #call(): Call {
    const { accounts, operator, registryAddress, forwarderAddress } = this.#values;
    if (this.#below(5) < 3) {
      const from = this.#pick(accounts);
      return { from, to: registryAddress, data: this.#data(from) };
    }
    const from = this.#oneIn(12) ? this.#pick(accounts) : operator;
    const calls = Array.from({ length: this.#below(7) }, () => this.#forwarded());
    return { from, to: forwarderAddress, data: executeCalldata(calls) };
  }

  /** Often chooses times around the end of a delay or period. */
  #advanceTime(): number {
    const committed = [...this.#committed.slice(-4), ...this.#batches.slice(-2)];
    const delays = committed.flatMap(({ committedAt }) => [committedAt + 59, committedAt + 60]);
    const periods = this.#revealed.slice(-2).flatMap((time) => [time + 7 * day, time + 7 * day + 1]);
    const edges = [...(this.#oneIn(3) ? delays : []), ...(this.#oneIn(20) ? periods : [])];
    const edge = edges.find((time) => time > this.#now);
    this.#now = edge ?? this.#now + this.#pick(usualPauses);
    return this.#now;
  }

  #forwarded(): Hex {
    const { forwarderAddress } = this.#values;
    if (this.#oneIn(40)) return this.#pick(malformedData(this.#data(forwarderAddress)));
    if (this.#oneIn(60)) return this.#data(forwarderAddress);
    return this.#pick([
      () => this.#commit(forwarderAddress),
      () => this.#reveal(forwarderAddress),
      () => this.#reveal(forwarderAddress),
      () => this.#setChild(),
      () => this.#commitBatch(forwarderAddress),
      () => this.#revealBatch(forwarderAddress),
      () => this.#setChildren(),
    ])();
  }

  #data(sender: Address): Hex {
    const { accounts, forwarderAddress } = this.#values;
    const index = this.#index();
    const delegate = this.#oneIn(3) ? this.#pick([...accounts, zeroAddress]) : forwarderAddress;
    if (this.#oneIn(4)) {
      const call = this.#pick([
        () => this.#commitBatch(sender),
        () => this.#revealBatch(sender),
        () => this.#revealBatch(sender),
        () => this.#setChildren(),
      ])();
      return this.#oneIn(20) ? this.#pick(malformedData(call)) : call;
    }
    const kind = this.#below(24);
    if (kind < 5) return this.#commit(sender);
    if (kind < 11) return this.#reveal(sender);
    if (kind < 13) return this.#setChild();
    if (kind < 16) return encodeFunctionData({ abi, functionName: 'delegate', args: [delegate] });
    if (kind < 17) return encodeFunctionData({ abi, functionName: 'revokeDelegation' });
    if (kind < 23) return encodeFunctionData({ abi, functionName: 'revokeAttestation', args: [index] });
    return this.#pick(malformedData(this.#commit(sender)));
  }

  #commit(sender: Address): Hex {
    const { accounts, digests, forwarderAddress } = this.#values;
    const fields = {
      digest: this.#pick(digests),
      salt: hash(this.#below(2)),
      quoteRoot: hash(this.#below(9)),
    };
    const parent = this.#pick([zeroHash, this.#pick(digests)]);
    // Through the forwarder, the authority is not the sender.
    const authority = this.#oneIn(8) || sender === forwarderAddress ? this.#pick(accounts) : sender;
    const usedDraft = { ...draft(sender, { ...fields, parent, authority }), committedAt: this.#now };
    this.#committed.push(usedDraft);
    return encodeFunctionData({ abi, functionName: 'commit', args: [saltedHash(usedDraft)] });
  }

  /** Reveals a draft that the sender committed, unchanged or with a fault. */
  #reveal(sender: Address): Hex {
    const { accounts, digests } = this.#values;
    const own = this.#committed.filter((one) => one.sender === sender).slice(-8);
    const chosen = own.length > 0 && !this.#oneIn(10) ? this.#pick(own) : draft(sender, { salt: hash(7) });
    const authority = this.#oneIn(4) ? this.#pick(accounts) : chosen.authority;
    const claimed = { ...chosen, authority };
    const faulty = this.#pick([
      { salt: hash(8) },
      { digest: this.#pick(digests) },
      { sender: this.#pick(accounts) },
    ]);
    this.#revealed.push(this.#now);
    const [salted] = revealArguments(claimed);
    const [, ...args] = revealArguments(this.#oneIn(8) ? { ...claimed, ...faulty } : claimed);
    return encodeFunctionData({ abi, functionName: 'reveal', args: [salted, ...args] });
  }

  #commitBatch(sender: Address): Hex {
    const { accounts, digests, forwarderAddress } = this.#values;
    const members = Array.from({ length: 1 + this.#below(5) }, () => ({
      authority: this.#oneIn(4) || sender === forwarderAddress ? this.#pick(accounts) : sender,
      salt: hash(this.#below(2)),
      digest: this.#pick(digests),
      quoteRoot: hash(this.#below(9)),
    }));
    this.#batches.push({ sender, members, committedAt: this.#now });
    return encodeFunctionData({ abi, functionName: 'commit', args: [batchHash(sender, members)] });
  }

  /** Reveals some members of a committed batch, sometimes another sender's or with a fault. */
  #revealBatch(sender: Address): Hex {
    const own = this.#batches.filter((one) => this.#oneIn(10) || one.sender === sender).slice(-4);
    if (own.length === 0) return this.#commitBatch(sender);
    const { members } = this.#pick(own);
    const chosen = members.map(() => !this.#oneIn(3));
    const altered = members.map((one) => (this.#oneIn(20) ? { ...one, salt: hash(8) } : one));
    const [runs, records, leaves] = batchArguments(altered, (position) => chosen[position] ?? false);
    const sentRuns = this.#oneIn(10) ? runs.slice(1) : runs;
    this.#revealed.push(this.#now);
    return encodeFunctionData({ abi, functionName: 'revealBatch', args: [sentRuns, records, leaves] });
  }

  #setChildren(): Hex {
    const indices = Array.from({ length: this.#below(4) }, () => this.#index());
    const children = indices.map(() => this.#pick([zeroHash, ...this.#values.digests]));
    const args = [indices, this.#oneIn(10) ? [...children, zeroHash] : children] as const;
    return encodeFunctionData({ abi, functionName: 'setChildIpfsHashes', args });
  }

  #setChild(): Hex {
    const args = [this.#index(), this.#pick([zeroHash, ...this.#values.digests])] as const;
    return encodeFunctionData({ abi, functionName: 'setChildIpfsHash', args });
  }

  /** Usually returns an existing index. */
  #index(): bigint {
    return this.#oneIn(20) ? 2n ** 256n - 1n : BigInt(this.#below(7));
  }

  #oneIn(times: number): boolean {
    return this.#below(times) === 0;
  }

  #pick<Item>(list: readonly Item[]): Item {
    return list[this.#below(list.length)] as Item;
  }
}
