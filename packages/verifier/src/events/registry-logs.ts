import {
  decodeEventLog,
  getAddress,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
} from 'viem';
import { malformed, NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
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
const ofAuthorities = selectorsOf('Attested', 'DelegateSet');
const ofAttestations = selectorsOf('ChildSet', 'AttestationRevoked');

/** A log as a node has it, and where: of a registry, or of any other contract that writes what looks like one's. */
export interface EmittedLog {
  readonly emitterAddress: Address;
  readonly block: { readonly number: number; readonly hash: Hex };
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** An event of a registry as a node has it, and where. */
export interface RegistryLog extends Pick<EmittedLog, 'block' | 'transaction' | 'logIndex'> {
  readonly registryAddress: Address;
  readonly event: ReturnType<typeof decode>;
}

/** What logs are looked for: those that name an authority, and those of attestations of anyone. */
export interface LogQuery {
  readonly authorityAddress: Address;
  /** The contracts whose logs are asked for; of every contract without it. */
  readonly registries?: readonly Address[] | undefined;
}

/** Runs a part of a longer reading, with a deadline of its own. */
export type InTime = <Answer>(part: (provider: Provider) => Promise<Answer>) => Promise<Answer>;

/** Logs of the first of the blocks that were asked for, up to a last one. */
export interface ReadLogs {
  readonly logs: readonly EmittedLog[];
  readonly to: number;
}

/** Logs that are read before their events are: whoever reads on keeps what is done of a long way, and begins after it. */
const enoughLogs = 1000;

function decode({ data, topics }: EmittedLog) {
  try {
    return decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]] });
  } catch {
    throw malformed(method);
  }
}

/** @throws ProviderFaultError for what is no log, or none that was asked for */
function readLog(log: Part, selectors: readonly Hex[], registries: LogQuery['registries']): EmittedLog {
  const emitterAddress = getAddress(log.field('address').text(/^0x[0-9a-f]{40}$/i, 'an address'));
  const topics = log.field('topics').list(1, 4, (topic) => topic.hash());
  const isAsked = registries?.some((one) => isAddressEqual(one, emitterAddress)) ?? true;
  if (!isAsked || !selectors.some((selector) => selector === topics[0])) throw malformed(method);
  return {
    emitterAddress,
    block: { number: log.field('blockNumber').quantity(), hash: log.field('blockHash').hash() },
    transaction: log.field('transactionHash').hash(),
    logIndex: log.field('logIndex').quantity(),
    ...{ topics, data: log.field('data').hex() },
  };
}

async function ask(provider: Provider, { registries, authorityAddress }: LogQuery, from: number, to: number) {
  const block = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const where = registries ? { address: registries, ...block } : block;
  const askFor = async (selectors: readonly Hex[], ...more: readonly Hex[]) => {
    const answer = await provider.askPart(method, [{ ...where, topics: [selectors, ...more] }]);
    return answer.list(0, Number.POSITIVE_INFINITY, (log) => readLog(log, selectors, registries));
  };
  const answers = await Promise.all([askFor(ofAuthorities, pad(authorityAddress)), askFor(ofAttestations)]);
  return answers
    .flat()
    .filter(({ block: { number } }) => number >= from && number <= to)
    .sort((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex);
}

/** The events that registries' logs tell, without those of another authority. @throws ProviderFaultError for what is none */
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

/** As many whole blocks as have enough logs, or all. */
function firstBlocks(logs: readonly EmittedLog[], to: number): ReadLogs {
  const last = logs.length > enoughLogs ? logs[enoughLogs - 1]?.block.number : undefined;
  if (last === undefined) return { logs, to };
  return { logs: logs.filter(({ block }) => block.number <= last), to: last };
}

/**
 * Reads the logs of some blocks, both ends included, or of the first of them where these have enough. Providers limit how many
 * blocks or logs they give at once, each in another way and with another error, or take too long: what does not come is asked
 * for in halves.
 * @throws NodeRefusalError, ProviderFaultError where a single block is refused
 */
export async function readLogs(inTime: InTime, query: LogQuery, from: number, to: number): Promise<ReadLogs> {
  try {
    return firstBlocks(await inTime((provider) => ask(provider, query, from, to)), to);
  } catch (error) {
    const mayBeTooMuch = error instanceof NodeRefusalError || error instanceof ProviderFaultError;
    if (!mayBeTooMuch || from >= to) throw error;
    // A provider that is gone has no smaller answer either.
    await inTime((provider) => provider.ask('eth_chainId', []));
  }
  const middle = Math.floor((from + to) / 2);
  const first = await readLogs(inTime, query, from, middle);
  if (first.to < middle || first.logs.length >= enoughLogs) return first;
  const second = await readLogs(inTime, query, middle + 1, to);
  return { logs: [...first.logs, ...second.logs], to: second.to };
}
