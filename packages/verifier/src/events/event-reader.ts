import { type Block, findBlock, readBlock } from '../chain/block.ts';
import { findLastBlockAt } from '../chain/block-at-time.ts';
import { defaultTimeoutMilliseconds, raceAbort, withDeadline } from '../chain/deadline.ts';
import { type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { RpcEndpoint } from '../chain/rpc-endpoint.ts';
import type { Address, Hex } from '../hex.ts';
import { firstAnswer } from '../proof/first-answer.ts';
import { checkChain, findFinalBlock } from '../verdict/read-evidence.ts';
import { Emitters } from './emitters.ts';
import { type AuthorityEvent, readEvents } from './read-events.ts';
import { eventsIn, type RunPart, readLogs } from './registry-logs.ts';

export interface EventQuery {
  readonly providers: readonly RpcEndpoint[];
  readonly chainId: number;
  readonly authorityAddress: Address;
  /** Registries to read; default: every registry whose code is known. */
  readonly registries?: readonly Address[] | undefined;
  /** Timeout of each part of a read; default: a minute. */
  readonly timeoutMilliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** The newest block of a chain and its newest final block. */
export interface ChainHeads {
  readonly newest: Block;
  /** `undefined` if the provider does not know it. */
  readonly final: Block | undefined;
}

export interface EventRange {
  readonly events: readonly AuthorityEvent[];
  readonly end: Block;
}

/** No provider answered; the message lists the fault of each provider, without URLs. */
export class EventsUnavailableError extends Error {
  override name = 'EventsUnavailableError';
}

/** Reads an authority's events from the first provider that answers. */
export class EventReader {
  readonly #query: EventQuery;
  readonly #emitters: Emitters;

  constructor(query: EventQuery) {
    this.#query = query;
    this.#emitters = new Emitters(query.chainId);
  }

  /** @throws EventsUnavailableError, RpcUrlInvalidError */
  heads(): Promise<ChainHeads> {
    return this.#readFromFirst(async (provider) => ({
      newest: await readBlock(provider, 'latest'),
      final: await findFinalBlock(provider),
    }));
  }

  /** A block; `undefined` if the chain does not have it. @throws EventsUnavailableError */
  block(number: number): Promise<Block | undefined> {
    return this.#readFromFirst((provider) => findBlock(provider, number));
  }

  /** The position of a transaction's first event; `undefined` if no provider has it. */
  positionOf(transaction: Hex): Promise<EventPosition | undefined> {
    return this.#readFromFirst((provider) => findPosition(provider, transaction)).catch((error: unknown) => {
      if (error instanceof EventsUnavailableError) return undefined;
      throw error;
    });
  }

  /**
   * The first block after a time, in seconds since 1970; block 1 if the provider lacks old blocks.
   * @throws EventsUnavailableError
   */
  firstBlockAfter(timestamp: number): Promise<number> {
    return this.#readFromFirst(async (provider) => {
      const newest = await readBlock(provider, 'latest');
      return ((await findLastBlockAt(provider, timestamp, newest))?.number ?? 0) + 1;
    });
  }

  /** Returns the addresses in `registries` that have no registry whose code is known. @throws EventsUnavailableError */
  unknownRegistries(): Promise<readonly Address[]> {
    const { registries = [] } = this.#query;
    return this.#readFromFirst((provider) => this.#emitters.selectUnknown(provider, registries));
  }

  /** Events from block `from` to `to`, inclusive, in order; if there are many, a shorter range. @throws EventsUnavailableError */
  events(from: number, to: number, hash?: Hex): Promise<EventRange> {
    return this.#readFromFirst(async (provider) => {
      const runPart: RunPart = (part) => this.#runPart(provider, part);
      const range = await readLogs(runPart, this.#query, from, to);
      const end = await runPart(async (partProvider) => {
        const last = await readEndBlock(partProvider, to, hash);
        return range.to === to ? last : readBlock(partProvider, range.to);
      });
      const { authorityAddress } = this.#query;
      const logs = eventsIn(await this.#emitters.selectRegistryLogs(runPart, range.logs), authorityAddress);
      return { events: await readEvents(runPart, logs, authorityAddress), end };
    });
  }

  /** Gives each part its own deadline, because a long read could not meet one deadline for all parts. */
  #runPart<Answer>(provider: Provider, part: (provider: Provider) => Promise<Answer>): Promise<Answer> {
    this.#query.signal?.throwIfAborted();
    return withDeadline(this.#timeoutMilliseconds, (deadline) => part(provider.withDeadline(deadline)));
  }

  get #timeoutMilliseconds(): number {
    return this.#query.timeoutMilliseconds ?? defaultTimeoutMilliseconds;
  }

  #readFromFirst<Answer>(read: (provider: Provider) => Promise<Answer>): Promise<Answer> {
    const { providers, chainId, signal } = this.#query;
    const answer = firstAnswer(
      providers,
      this.#timeoutMilliseconds,
      async (provider) => {
        await checkChain(provider, chainId);
        return read(provider);
      },
      (faults) => new EventsUnavailableError(`no provider answered: ${faults}`),
    );
    return signal ? raceAbort(answer, signal, () => signal.reason) : answer;
  }
}

/** Reads a block after its logs, because a node returns no logs for a block that it lacks. @throws ProviderFaultError */
async function readEndBlock(provider: Provider, number: number, hash: Hex | undefined): Promise<Block> {
  const block = await findBlock(provider, number);
  if (!block) throw new ProviderFaultError(`has no block ${number} yet`);
  if (hash && block.hash !== hash) throw new ProviderFaultError(`has a different block ${number}`);
  return block;
}

export interface EventPosition {
  readonly blockNumber: number;
  readonly logIndex: number;
}

async function findPosition(provider: Provider, transaction: Hex): Promise<EventPosition> {
  const receipt = await provider.requestPart('eth_getTransactionReceipt', [transaction]);
  if (receipt.value === null) throw new ProviderFaultError('does not have the transaction');
  const [log] = receipt.field('logs').list(0, Number.POSITIVE_INFINITY, (item) => item);
  if (!log) throw new ProviderFaultError('has no events for the transaction');
  return { blockNumber: receipt.field('blockNumber').quantity(), logIndex: log.field('logIndex').quantity() };
}
