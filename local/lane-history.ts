import {
  type Address,
  createPublicClient,
  decodeFunctionData,
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
} from 'viem';
import { attestationRegistryAbi } from '../contracts/artifacts/attestation-registry-abi.ts';
import { runConcurrently } from './run-concurrently.ts';

/** A transaction of the signer, as mined. */
export interface LaneTransaction {
  readonly nonce: number;
  readonly hash: Hex;
  readonly succeeded: boolean;
  /** The block's timestamp, in seconds since 1970. */
  readonly minedAt: number;
  readonly call: RegistryCall | undefined;
}

export type RegistryCall =
  | { readonly kind: 'commit'; readonly saltedHash: Hex }
  | {
      readonly kind: 'reveal';
      readonly saltedHash: Hex;
      readonly digest: Hex;
      readonly authorityAddress: Address;
    }
  | { readonly kind: 'other' };

export type ReadingClient = PublicClient<HttpTransport>;

/** Several reads go out as one request: blocks come by the hundred. */
export function readingClient(rpcUrl: string): ReadingClient {
  return createPublicClient({ transport: http(rpcUrl, { batch: true, timeout: 60_000 }) });
}

function registryCall(data: Hex): RegistryCall | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: attestationRegistryAbi, data });
    if (functionName === 'commit') return { kind: 'commit', saltedHash: args[0] };
    if (functionName !== 'reveal') return { kind: 'other' };
    return { kind: 'reveal', saltedHash: args[0], digest: args[2], authorityAddress: args[5] };
  } catch {
    // A cancellation, say: a transfer has no call.
    return undefined;
  }
}

async function blockTransactions(client: ReadingClient, blockNumber: bigint, sender: Address) {
  const { timestamp, transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
  const ours = transactions.filter(({ from }) => from.toLowerCase() === sender.toLowerCase());
  return Promise.all(
    ours.map(async ({ nonce, hash, input }): Promise<LaneTransaction> => {
      const { status } = await client.getTransactionReceipt({ hash });
      const succeeded = status === 'success';
      return { nonce, hash, succeeded, minedAt: Number(timestamp), call: registryCall(input) };
    }),
  );
}

/** Every transaction of a sender from a block on, by nonce: read from the blocks, whatever the service says of them. */
export async function laneHistory(
  client: ReadingClient,
  sender: Address,
  fromBlock: bigint,
): Promise<LaneTransaction[]> {
  const newest = await client.getBlockNumber();
  const numbers = Array.from(
    { length: Number(newest - fromBlock) + 1 },
    (_, offset) => fromBlock + BigInt(offset),
  );
  const found = await runConcurrently(numbers, 32, (number) => blockTransactions(client, number, sender));
  return found.flat().sort((one, other) => one.nonce - other.nonce);
}
