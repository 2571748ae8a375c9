import { type Block, blockAt, findBlock } from '../chain/block.ts';
import { lastBlockAt } from '../chain/block-at-time.ts';
import { defaultTimeoutMilliseconds, orAborted, withDeadline } from '../chain/deadline.ts';
import { type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { RpcEndpoint } from '../chain/rpc-endpoint.ts';
import type { Address, Hex } from '../hex.ts';
import { firstAnswer } from '../proof/first-answer.ts';
import { checkChain, findFinalBlock } from '../verdict/read-evidence.ts';
import { Emitters } from './emitters.ts';
import { type AuthorityEvent, readEvents } from './read-events.ts';
import { eventsIn, type InTime, readLogs } from './registry-logs.ts';

/** Whose events are read, and where. */
export interface EventQuery {
  readonly providers: readonly RpcEndpoint[];
  readonly chainId: number;
  readonly authorityAddress: Address;
  /** The registries that are read; every one whose code is known without it. */
  readonly registries?: readonly Address[] | undefined;
  /** How long each part of a reading may take: a minute, unless said otherwise. */
  readonly timeoutMilliseconds?: number;
  /** Aborts what is being read, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The chain's ends, as a provider shows them. */
export interface ChainEnds {
  readonly newest: Block;
  /** `undefined` where the provider does not tell. */
  readonly final: Block | undefined;
}

/** What was done in the first of the blocks that were asked for, up to a last one. */
export interface EventStretch {
  readonly events: readonly AuthorityEvent[];
  readonly end: Block;
}

/** Absence of an answer from all providers; the message says what each said, and no URL. */
export class EventsUnavailableError extends Error {
  override name = 'EventsUnavailableError';
}

/** Reads what was done in an authority's name, of providers by turns: each is asked where those before it do not answer. */
export class EventReader {
  readonly #query: EventQuery;
  readonly #emitters: Emitters;

  constructor(query: EventQuery) {
    this.#query = query;
    this.#emitters = new Emitters(query.chainId);
  }

  /** The newest and the final block. @throws EventsUnavailableError, RpcUrlInvalidError */
  ends(): Promise<ChainEnds> {
    return this.#ask(async (provider) => ({
      newest: await blockAt(provider, 'latest'),
      final: await findFinalBlock(provider),
    }));
  }

  /** A block; `undefined` where the chain has none with the number. @throws EventsUnavailableError */
  block(number: number): Promise<Block | undefined> {
    return this.#ask((provider) => findBlock(provider, number));
  }

  /** Where a transaction's events begin; `undefined` where no provider has them, or says. */
  place(transaction: Hex): Promise<EventPlace | undefined> {
    return this.#ask((provider) => findPlace(provider, transaction)).catch((error: unknown) => {
      if (error instanceof EventsUnavailableError) return undefined;
      throw error;
    });
  }

  /** The first block after a time, in seconds since 1970. @throws EventsUnavailableError */
  firstBlockAfter(timestamp: number): Promise<number> {
    return this.#ask(async (provider) => {
      const newest = await blockAt(provider, 'latest');
      return ((await lastBlockAt(provider, timestamp, newest))?.number ?? 0) + 1;
    });
  }

  /** Those of the registries that are none that is known here: their events mean nothing. @throws EventsUnavailableError */
  unknownRegistries(): Promise<readonly Address[]> {
    const { registries = [] } = this.#query;
    return this.#ask((provider) => this.#emitters.unknown(provider, registries));
  }

  /**
   * What was done in these blocks, both ends included, in its order; where that is much, in the first of them. @throws
   * EventsUnavailableError
   */
  events(from: number, to: number, hash?: Hex): Promise<EventStretch> {
    return this.#ask(async (provider) => {
      const inTime: InTime = (part) => this.#inTime(provider, part);
      const read = await readLogs(inTime, this.#query, from, to);
      const end = await inTime(async (one) => {
        const last = await reachedBlock(one, to, hash);
        return read.to === to ? last : blockAt(one, read.to);
      });
      const { authorityAddress } = this.#query;
      const logs = eventsIn(await this.#emitters.ofRegistries(inTime, read.logs), authorityAddress);
      return { events: await readEvents(inTime, logs, authorityAddress), end };
    });
  }

  /** One deadline for all would never be met where there is much: each look would begin anew, and end at the same place. */
  #inTime<Answer>(provider: Provider, part: (provider: Provider) => Promise<Answer>): Promise<Answer> {
    // Nobody waits for the next part then, and the program would not end before it.
    this.#query.signal?.throwIfAborted();
    return withDeadline(this.#milliseconds, (deadline) => part(provider.until(deadline)));
  }

  get #milliseconds(): number {
    return this.#query.timeoutMilliseconds ?? defaultTimeoutMilliseconds;
  }

  #ask<Answer>(ask: (provider: Provider) => Promise<Answer>): Promise<Answer> {
    const { providers, chainId, signal } = this.#query;
    const answer = firstAnswer(
      providers,
      this.#milliseconds,
      async (provider) => {
        await checkChain(provider, chainId);
        return ask(provider);
      },
      (said) => new EventsUnavailableError(`no provider answered: ${said}`),
    );
    return signal ? orAborted(answer, signal, () => signal.reason) : answer;
  }
}

/**
 * Nodes answer with no logs for blocks that they lack, so this is asked after the logs. @throws ProviderFaultError unless
 * the provider has the block
 */
async function reachedBlock(provider: Provider, number: number, hash: Hex | undefined): Promise<Block> {
  const block = await findBlock(provider, number);
  if (!block) throw new ProviderFaultError(`has no block ${number} yet`);
  if (hash && block.hash !== hash) throw new ProviderFaultError(`has a different block ${number}`);
  return block;
}

/** Where something is in the order of a chain's events. */
export interface EventPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

/**
 * The place of a transaction's first log. @throws NodeRefusalError; ProviderFaultError where the provider lacks it, or its
 * logs
 */
async function findPlace(provider: Provider, transaction: Hex): Promise<EventPlace> {
  const receipt = await provider.askPart('eth_getTransactionReceipt', [transaction]);
  if (receipt.value === null) throw new ProviderFaultError('does not have the transaction');
  const [log] = receipt.field('logs').list(0, Number.POSITIVE_INFINITY, (one) => one);
  if (!log) throw new ProviderFaultError('has no events for the transaction');
  return {
    blockNumber: receipt.field('blockNumber').quantity(),
    logIndex: log.field('logIndex').quantity(),
  };
}
