import { type Address, type Hash, type Hex, isAddress, isHex, type Transport } from 'viem';
import * as z from 'zod';

/** A provider's answer is not of the form that the method has: as good as none. */
export class AnswerMalformedError extends Error {
  override readonly name = 'AnswerMalformedError';
  constructor(method: string) {
    super(`a provider answers ${method} with something else`);
  }
}

/**
 * One JSON-RPC call to one provider, its answer parsed. Calls made at once share one HTTP request.
 *
 * @throws AnswerMalformedError, and viem's errors
 */
export type Rpc = <Answer>(
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<Answer>,
) => Promise<Answer>;

/** The provider at the other end of the transport. */
export function connectRpc(transport: Transport): Rpc {
  const { request } = transport({});
  return async (method, params, schema) => {
    const answer = schema.safeParse(await request({ method, params }));
    if (!answer.success) throw new AnswerMalformedError(method);
    return answer.data;
  };
}

// The forms in which a node answers, as the Ethereum execution API specifies them; what nobody here asks is left out.

export const hex = z.custom<Hex>((value) => isHex(value));

export const hash = z.custom<Hash>((value) => isHex(value) && value.length === 66);

const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value, { strict: false }),
);

export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt);

/** A quantity that is a number of things, or seconds. */
export const count = quantity.transform(Number);

export const block = z.object({ number: count, timestamp: count, hash });

/** Chains without EIP-1559 have no base fee in their blocks. */
export const pricedBlock = block.extend({ baseFeePerGas: quantity.nullish() });

export const fullBlock = z.object({
  transactions: z.array(z.object({ hash, from: address, nonce: count })),
});

export const receipt = z.object({
  transactionHash: hash,
  status: z.enum(['0x0', '0x1']),
  blockHash: hash,
  blockNumber: count,
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  /** What a rollup of the OP stack takes besides for its data on Ethereum. */
  l1Fee: quantity.nullish(),
  to: address.nullable(),
  logs: z.array(z.object({ address, topics: z.array(hash) })),
});

/** `eth_feeHistory`: one base fee more than blocks, the last that of the block to come. */
export const feeHistory = z.object({
  oldestBlock: count,
  baseFeePerGas: z.array(quantity).min(1),
  gasUsedRatio: z.array(z.number()).min(1),
  reward: z.array(z.array(quantity)).nullish(),
});
