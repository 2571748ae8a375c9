import {
  decodeEventLog,
  getAddress,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
} from 'viem';
import { malformedAnswer, NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { Address, Hex } from '../hex.ts';
import type { Part } from '../part.ts';

const method = 'eth_getLogs';
const abi = parseAbi([
  'event Attested(address indexed authority, bytes32 ipfsHash)',
  'event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash)',
  'event DelegateSet(address indexed authority, address indexed delegateAddress)',
  'event AttestationRevoked(uint256 indexed attestationId)',
]);
const selectorsOf = (...names: readonly string[]) =>
  abi.filter(({ name }) => names.includes(name)).map((event) => toEventSelector(event));
const authorityTopics = selectorsOf('Attested', 'DelegateSet');
const attestationTopics = selectorsOf('ChildSet', 'AttestationRevoked');

/** A log of a registry, or of another contract with the same events. */
export interface EmittedLog {
  readonly emitterAddress: Address;
  readonly block: { readonly number: number; readonly hash: Hex };
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface RegistryLog extends Pick<EmittedLog, 'block' | 'transaction' | 'logIndex'> {
  readonly registryAddress: Address;
  readonly event: ReturnType<typeof decode>;
}

/** Selects the logs that name an authority, and the links and revocations of all attestations. */
export interface LogQuery {
  readonly authorityAddress: Address;
  /** Contracts to read; default: all. */
  readonly registries?: readonly Address[] | undefined;
}

/** Runs a part of a long read with its own deadline. */
export type RunPart = <Answer>(part: (provider: Provider) => Promise<Answer>) => Promise<Answer>;

export interface LogRange {
  readonly logs: readonly EmittedLog[];
  readonly to: number;
}

/** Number of logs after which a read returns, so that the caller can save its progress. */
const maxLogs = 1000;

function decode({ data, topics }: EmittedLog) {
  try {
    return decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]] });
  } catch {
    throw malformedAnswer(method);
  }
}

/** @throws ProviderFaultError for a log that is malformed or was not requested */
function readLog(log: Part, selectors: readonly Hex[], registries: LogQuery['registries']): EmittedLog {
  const emitterAddress = getAddress(log.field('address').text(/^0x[0-9a-f]{40}$/i, 'an address'));
  const topics = log.field('topics').list(1, 4, (topic) => topic.hash());
  const isWanted = registries?.some((registry) => isAddressEqual(registry, emitterAddress)) ?? true;
  if (!isWanted || !selectors.some((selector) => selector === topics[0])) throw malformedAnswer(method);
  return {
    emitterAddress,
    block: { number: log.field('blockNumber').quantity(), hash: log.field('blockHash').hash() },
    transaction: log.field('transactionHash').hash(),
    logIndex: log.field('logIndex').quantity(),
    ...{ topics, data: log.field('data').hex() },
  };
}

async function requestLogs(
  provider: Provider,
  { registries, authorityAddress }: LogQuery,
  from: number,
  to: number,
) {
  const block = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const filter = registries ? { address: registries, ...block } : block;
  const read = async (selectors: readonly Hex[], ...otherTopics: readonly Hex[]) => {
    const answer = await provider.requestPart(method, [{ ...filter, topics: [selectors, ...otherTopics] }]);
    return answer.list(0, Number.POSITIVE_INFINITY, (log) => readLog(log, selectors, registries));
  };
  const answers = await Promise.all([read(authorityTopics, pad(authorityAddress)), read(attestationTopics)]);
  return answers
    .flat()
    .filter(({ block: { number } }) => number >= from && number <= to)
    .sort((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex);
}

/** Decodes logs, and omits those that name another authority. @throws ProviderFaultError */
export function eventsIn(logs: readonly EmittedLog[], authorityAddress: Address): readonly RegistryLog[] {
  return logs
    .map((log) => {
      const { emitterAddress: registryAddress, block, transaction, logIndex } = log;
      return { registryAddress, block, transaction, logIndex, event: decode(log) };
    })
    .filter(
      ({ event: { args } }) => !('authority' in args) || isAddressEqual(args.authority, authorityAddress),
    );
}

function limitLogs(logs: readonly EmittedLog[], to: number): LogRange {
  const last = logs.length > maxLogs ? logs[maxLogs - 1]?.block.number : undefined;
  if (last === undefined) return { logs, to };
  return { logs: logs.filter(({ block }) => block.number <= last), to: last };
}

/**
 * Reads the logs from block `from` to block `to`, inclusive. If there are many, reads a shorter range. Providers limit the
 * number of blocks and logs, with different errors, so a failed request is split in half.
 * @throws NodeRefusalError, ProviderFaultError if the provider is unreachable, or the request for a single block fails
 */
export async function readLogs(
  runPart: RunPart,
  query: LogQuery,
  from: number,
  to: number,
): Promise<LogRange> {
  try {
    return limitLogs(await runPart((provider) => requestLogs(provider, query, from, to)), to);
  } catch (error) {
    const mayBeTooMuch = error instanceof NodeRefusalError || error instanceof ProviderFaultError;
    if (!mayBeTooMuch || from >= to) throw error;
    // Throws if the provider is unreachable, because a smaller range would fail too.
    await runPart((provider) => provider.request('eth_chainId', []));
  }
  const middle = Math.floor((from + to) / 2);
  const first = await readLogs(runPart, query, from, middle);
  if (first.to < middle || first.logs.length >= maxLogs) return first;
  const second = await readLogs(runPart, query, middle + 1, to);
  return { logs: [...first.logs, ...second.logs], to: second.to };
}
