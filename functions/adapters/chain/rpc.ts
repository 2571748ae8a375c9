import { type Address, type Hash, type Hex, isAddress, isHex, type Transport } from 'viem';
import * as z from 'zod';

/** A provider's answer does not have the method's result type. It counts as no answer. */
export class AnswerMalformedError extends Error {
  override readonly name = 'AnswerMalformedError';
  constructor(method: string) {
    super(`a provider returned a malformed answer to ${method}`);
  }
}

/** A JSON-RPC call to one provider, with a parsed answer. Simultaneous calls share one HTTP request. */
export type Rpc = <Answer>(
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<Answer>,
) => Promise<Answer>;

export function connectRpc(transport: Transport): Rpc {
  const { request } = transport({});
  return async (method, params, schema) => {
    const answer = schema.safeParse(await request({ method, params }));
    if (!answer.success) throw new AnswerMalformedError(method);
    return answer.data;
  };
}

// Schemas of a node's answers by the Ethereum execution API, without unused fields.

export const hex = z.custom<Hex>((value) => isHex(value));

export const hash = z.custom<Hash>((value) => isHex(value) && value.length === 66);

const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value, { strict: false }),
);

export const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt);

export const count = quantity.transform(Number);

export const block = z.object({ number: count, timestamp: count, hash });

/** Schema of a block with its base fee, which is absent on chains without EIP-1559. */
export const pricedBlock = block.extend({ baseFeePerGas: quantity.nullish() });

export const fullBlock = z.object({
  transactions: z.array(z.object({ hash, from: address, nonce: count })),
});

export const receipt = z.object({
  transactionHash: hash,
  status: z.enum(['0x0', '0x1']),
  /** Null for pre-confirmations of some providers. */
  blockHash: hash.nullable(),
  blockNumber: count.nullable(),
  gasUsed: quantity,
  effectiveGasPrice: quantity,
  // Fields of OP-stack chains. The operator fields are absent where both are 0. Jovian adds `daFootprintGasScalar`.
  l1Fee: quantity.nullish(),
  operatorFeeScalar: quantity.nullish(),
  operatorFeeConstant: quantity.nullish(),
  daFootprintGasScalar: quantity.nullish(),
  to: address.nullable(),
  logs: z.array(z.object({ address, topics: z.array(hash), data: hex })),
});

/** Schema of the answer to `eth_feeHistory`: the last base fee is that of the next block. */
export const feeHistory = z.object({
  oldestBlock: count,
  baseFeePerGas: z.array(quantity).min(1),
  gasUsedRatio: z.array(z.number()).min(1),
  reward: z.array(z.array(quantity)).nullish(),
});
