import { type Hex, parseSignature, serializeTransaction, type TransactionSerializable } from 'viem';
import type { UnsignedTx } from './chain.ts';

function serializable({ gasLimit, legacy, maxFeePerGas, ...fields }: UnsignedTx): TransactionSerializable {
  const { maxPriorityFeePerGas, ...rest } = fields;
  return legacy
    ? { ...rest, gas: gasLimit, gasPrice: maxFeePerGas, type: 'legacy' }
    : { ...rest, gas: gasLimit, maxFeePerGas, maxPriorityFeePerGas, type: 'eip1559' };
}

/** Serializes a transaction (EIP-1559, or EIP-155 on a legacy chain). Its Keccak-256 is signed. */
export function unsignedBytes(unsigned: UnsignedTx): Hex {
  return serializeTransaction(serializable(unsigned));
}

/** Serializes a signed transaction. The Keccak-256 of the bytes is the transaction's hash. */
export function signedBytes(unsigned: UnsignedTx, signature: Hex): Hex {
  return serializeTransaction(serializable(unsigned), parseSignature(signature));
}
