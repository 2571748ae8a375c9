import { encodeEventTopics, type Hash, hexToNumber } from 'viem';
import type * as z from 'zod';
import { delegateForwarderAbi as abi } from '../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { Receipt } from '../domain/lane.ts';
import { receipt } from './viem-answers.ts';
import { AnswerMalformedError, type Rpc } from './viem-rpc.ts';

export type RpcReceipt = z.output<typeof receipt>;

/** `undefined` is no error here: the transaction is not mined, or this provider lags. */
export async function findReceipt(rpc: Rpc, hash: Hash): Promise<RpcReceipt | undefined> {
  const method = 'eth_getTransactionReceipt';
  const found = await rpc(method, [hash], receipt.nullable());
  if (found && found.transactionHash !== hash) throw new AnswerMalformedError(method);
  return found ?? undefined;
}

export function receiptOf(found: RpcReceipt, blockTimestamp: number): Receipt {
  return {
    hash: found.transactionHash,
    succeeded: found.status === '0x1',
    blockHash: found.blockHash,
    blockNumber: found.blockNumber,
    blockTimestamp,
    fee: found.gasUsed * found.effectiveGasPrice + (found.l1Fee ?? 0n),
    failedPositions: failedPositions(found),
  };
}

const [callFailedTopic] = encodeEventTopics({ abi, eventName: 'CallFailed' });

/** Only what the transaction was sent to can be the forwarder; a registry may emit whatever it likes. */
function failedPositions({ to, logs }: RpcReceipt): number[] {
  return logs
    .filter(({ address }) => address.toLowerCase() === to?.toLowerCase())
    .filter(({ topics: [topic] }) => topic === callFailedTopic)
    .flatMap(({ topics: [, position] }) => (position === undefined ? [] : [hexToNumber(position)]));
}
