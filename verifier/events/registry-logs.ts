import {
  decodeEventLog,
  isAddress,
  isAddressEqual,
  isHash,
  isHex,
  pad,
  parseAbi,
  toEventSelector,
} from 'viem';
import { malformed, quantityIn } from '../chain/block.ts';
import { NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { Address, Hex } from '../hex.ts';

const method = 'eth_getLogs';
const abi = parseAbi([
  'event Attested(address indexed authority, bytes32 ipfsHash)',
  'event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash)',
  'event DelegateSet(address indexed authority, address indexed delegateAddress)',
  'event AttestationRevoked(uint256 indexed attestationId)',
]);
const [attested, childSet, delegateSet, revoked] = abi.map((event) => toEventSelector(event));

/** An event of a registry as a node has it, and where. */
export interface RegistryLog {
  readonly registryAddress: Address;
  readonly block: { readonly number: number; readonly hash: Hex };
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly event: ReturnType<typeof decode>;
}

/** What events are looked for: those of registries by an authority, and those by attestations of anyone. */
export interface LogQuery {
  readonly registries: readonly Address[];
  readonly authorityAddress: Address;
}

/** Runs a part of a longer reading, with a deadline of its own. */
export type InTime = <Answer>(part: (provider: Provider) => Promise<Answer>) => Promise<Answer>;

/** Logs of the first of the blocks that were asked for, up to a last one. */
export interface ReadLogs {
  readonly logs: readonly RegistryLog[];
  readonly to: number;
}

/** Logs that are read before their events are: whoever reads on keeps what is done of a long way, and begins after it. */
const enoughLogs = 1000;

function decode(data: Hex, topics: readonly Hex[]) {
  try {
    return decodeEventLog({ abi, data, topics: topics as [Hex, ...Hex[]] });
  } catch {
    throw malformed(method);
  }
}

const isTopics = (value: unknown): value is Hex[] =>
  Array.isArray(value) && value.every((topic) => typeof topic === 'string' && isHash(topic));
const isHashText = (value: unknown): value is Hex => typeof value === 'string' && isHash(value);

/** @throws ProviderFaultError for what is no log, or one of another registry */
function readLog(log: unknown, registries: readonly Address[]): RegistryLog {
  const fields: Readonly<Record<string, unknown>> = typeof log === 'object' && log !== null ? { ...log } : {};
  const { address, topics, data, blockHash, transactionHash } = fields;
  const registryAddress =
    typeof address === 'string' && isAddress(address, { strict: false })
      ? registries.find((one) => isAddressEqual(one, address))
      : undefined;
  if (
    !registryAddress ||
    !isTopics(topics) ||
    !isHex(data) ||
    !isHashText(blockHash) ||
    !isHashText(transactionHash)
  )
    throw malformed(method);
  return {
    registryAddress,
    block: { number: quantityIn(fields.blockNumber, method), hash: blockHash },
    transaction: transactionHash,
    logIndex: quantityIn(fields.logIndex, method),
    event: decode(data, topics),
  };
}

async function ask(provider: Provider, { registries, authorityAddress }: LogQuery, from: number, to: number) {
  const block = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const topicLists = [[[attested, delegateSet], pad(authorityAddress)], [[childSet, revoked]]];
  const answers = await Promise.all(
    topicLists.map((topics) => provider.ask(method, [{ address: registries, ...block, topics }])),
  );
  const logs = answers.flatMap((answer) => {
    if (!Array.isArray(answer)) throw malformed(method);
    return answer.map((log: unknown) => readLog(log, registries));
  });
  return logs
    .filter(({ block: { number } }) => number >= from && number <= to)
    .filter(
      ({ event: { args } }) => !('authority' in args) || isAddressEqual(args.authority, authorityAddress),
    )
    .sort((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex);
}

/** As many whole blocks as have enough logs, or all. */
function firstBlocks(logs: readonly RegistryLog[], to: number): ReadLogs {
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
