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

/**
 * Reads the logs of some blocks, both ends included. Providers limit how many blocks or logs they give at once, each in another
 * way and with another error: what is refused is asked for in halves.
 * @throws NodeRefusalError, ProviderFaultError where a single block is refused
 */
export async function readLogs(
  provider: Provider,
  query: LogQuery,
  from: number,
  to: number,
): Promise<RegistryLog[]> {
  try {
    return await ask(provider, query, from, to);
  } catch (error) {
    const mayBeTooMuch = error instanceof NodeRefusalError || error instanceof ProviderFaultError;
    if (!mayBeTooMuch || from >= to) throw error;
    // A provider that is gone has no smaller answer either.
    await provider.ask('eth_chainId', []);
  }
  const middle = Math.floor((from + to) / 2);
  const first = await readLogs(provider, query, from, middle);
  return [...first, ...(await readLogs(provider, query, middle + 1, to))];
}
