import { isAddressEqual } from 'viem';
import { type Block, findBlock, malformed } from '../chain/block.ts';
import { lastBlockAt } from '../chain/block-at-time.ts';
import { BlockView } from '../chain/block-view.ts';
import { recognizeRegistry } from '../chain/known-registries.ts';
import { ContradictionError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import { RegistryView } from '../chain/registry-calls.ts';
import type { RpcEndpoint } from '../chain/rpc-endpoint.ts';
import type { Address, Hex } from '../hex.ts';
import { firstAnswer } from '../proof/first-answer.ts';
import { cidOfDigest } from '../reference/content-cid.ts';
import { checkChain, findFinalBlock } from '../verdict/read-evidence.ts';
import { type RegistryLog, readLogs } from './registry-logs.ts';

/** Something that was done in an authority's name, as a registry tells it. */
export interface AuthorityEvent {
  readonly kind: 'delegation' | 'attestation' | 'revocation' | 'link';
  readonly registryAddress: Address;
  readonly block: Block;
  readonly transaction: Hex;
  readonly logIndex: number;
  /** Of a delegation: who may act now; the zero address: nobody. */
  readonly delegateAddress?: Address;
  /** Of the others: the index of the attestation. */
  readonly attestationIndex?: number;
  /** Of the others: what is attested. */
  readonly contentCid?: string;
  /** Of a link: the content that is named as the successor; `null` for none. */
  readonly childCid?: string | null;
}

/** Whose events are read, and where. */
export interface EventQuery {
  readonly providers: readonly RpcEndpoint[];
  readonly chainId: number;
  readonly authorityAddress: Address;
  readonly registries: readonly Address[];
  /** Aborts what is being read, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The chain's ends, as a provider shows them. */
export interface ChainEnds {
  readonly newest: Block;
  /** `undefined` where the provider does not tell. */
  readonly final: Block | undefined;
}

/** Absence of an answer from all providers; the message says what each said, and no URL. */
export class EventsUnavailableError extends Error {
  override name = 'EventsUnavailableError';
}

const timeoutMilliseconds = 60_000;

/** Reads what was done in an authority's name, of providers by turns: each is asked where those before it do not answer. */
export class EventReader {
  readonly #query: EventQuery;

  constructor(query: EventQuery) {
    this.#query = query;
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

  /** The first block after a time, in seconds since 1970. @throws EventsUnavailableError */
  firstBlockAfter(timestamp: number): Promise<number> {
    return this.#ask(async (provider) => {
      const newest = await blockAt(provider, 'latest');
      return ((await lastBlockAt(provider, timestamp, newest))?.number ?? 0) + 1;
    });
  }

  /** Those of the registries that are none that is known here: their events mean nothing. @throws EventsUnavailableError */
  unknownRegistries(): Promise<readonly Address[]> {
    const { chainId, registries } = this.#query;
    return this.#ask(async (provider) => {
      const view = await BlockView.newest(provider);
      const unknown: Address[] = [];
      for (const address of registries)
        if (!recognizeRegistry(chainId, address, await view.code(address))?.codeIsKnown)
          unknown.push(address);
      return unknown;
    });
  }

  /**
   * What was done in these blocks, both ends included, in its order.
   * @param hash hash of the last block, where it is known
   * @throws EventsUnavailableError
   */
  events(from: number, to: number, hash?: Hex): Promise<AuthorityEvent[]> {
    return this.#ask(async (provider) => {
      const logs = await readLogs(provider, this.#query, from, to);
      await checkReaches(provider, to, hash);
      if (logs.length === 0) return [];
      const view = await BlockView.newest(provider);
      const events: AuthorityEvent[] = [];
      for (const log of logs) {
        const said = await readEvent(log, new RegistryView(view, log.registryAddress), this.#query);
        if (said) events.push({ ...placeOf(log), block: await this.#blockOf(provider, log), ...said });
      }
      return events;
    });
  }

  async #blockOf(provider: Provider, { block: { number, hash } }: RegistryLog): Promise<Block> {
    const block = await blockAt(provider, number);
    if (block.hash !== hash) throw new ContradictionError('an event is in a block that is not there');
    return block;
  }

  #ask<Answer>(ask: (provider: Provider) => Promise<Answer>): Promise<Answer> {
    const { providers, chainId, signal } = this.#query;
    const answer = firstAnswer(
      providers,
      timeoutMilliseconds,
      async (provider) => {
        await checkChain(provider, chainId);
        return ask(provider);
      },
      (said) => new EventsUnavailableError(`no provider answers: ${said}`),
    );
    return signal ? untilAborted(answer, signal) : answer;
  }
}

async function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let give = () => {};
  const aborted = new Promise<never>((_, reject) => {
    give = () => reject(signal.reason);
  });
  signal.addEventListener('abort', give, { once: true });
  if (signal.aborted) give();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}

async function blockAt(provider: Provider, place: number | 'latest'): Promise<Block> {
  const block = await findBlock(provider, place);
  if (!block) throw malformed('eth_getBlockByNumber');
  return block;
}

/**
 * Nodes answer with no logs for blocks that they do not have yet, as if nothing were in them. Asked after
 * the logs, so that a reorganisation while they were read shows too.
 * @throws ProviderFaultError unless the provider has this block
 */
async function checkReaches(provider: Provider, number: number, hash: Hex | undefined): Promise<void> {
  const block = await findBlock(provider, number);
  if (!block) throw new ProviderFaultError(`has no block ${number} yet`);
  if (hash && block.hash !== hash) throw new ProviderFaultError(`has another block ${number}`);
}

const placeOf = ({ registryAddress, transaction, logIndex }: RegistryLog) => ({
  registryAddress,
  transaction,
  logIndex,
});

/**
 * What an event says; `undefined` for one by another authority. An event of no attestation is no reason to pass it over: one
 * of several nodes behind an address lags, or the chain is just reorganising, and another look shows it.
 * @throws ProviderFaultError
 */
async function readEvent(
  { event }: RegistryLog,
  registry: RegistryView,
  { authorityAddress }: EventQuery,
): Promise<Omit<AuthorityEvent, 'block' | keyof ReturnType<typeof placeOf>> | undefined> {
  if (event.eventName === 'DelegateSet')
    return { kind: 'delegation', delegateAddress: event.args.delegateAddress };
  if (event.eventName === 'Attested') {
    const { ipfsHash } = event.args;
    const attestationIndex = await registry.indexBy(ipfsHash, authorityAddress);
    if (attestationIndex === 0) throw new ContradictionError('an event is of no attestation');
    return { kind: 'attestation', attestationIndex, contentCid: cidOfDigest(ipfsHash) };
  }
  const attestationIndex = Number(event.args.attestationId);
  const entry = await registry.entry(attestationIndex);
  if (!entry) throw new ContradictionError('an event is of no attestation');
  if (!isAddressEqual(entry.authorityAddress, authorityAddress)) return undefined;
  const said = { attestationIndex, contentCid: cidOfDigest(entry.digest) };
  if (event.eventName === 'AttestationRevoked') return { kind: 'revocation', ...said };
  const { childIpfsHash } = event.args;
  return {
    kind: 'link',
    ...said,
    childCid: BigInt(childIpfsHash) === 0n ? null : cidOfDigest(childIpfsHash),
  };
}
