import type { Attempt, Receipt, Transaction } from './lane.ts';
import type { Fields } from './records.ts';

/** As it is stored: amounts in wei as decimal strings, for a number holds only 53 bits of them. */
export function transactionFields({ lane: _, gasLimit, attempts, receipt, ...rest }: Transaction): Fields {
  const stored = attempts.map(({ maxFeePerGas, maxPriorityFeePerGas, ...attempt }) => ({
    ...attempt,
    maxFeePerGas: String(maxFeePerGas),
    maxPriorityFeePerGas: String(maxPriorityFeePerGas),
  }));
  const { formerReceipt, ...plain } = rest;
  return {
    ...plain,
    attempts: stored,
    gasLimit: String(gasLimit),
    receipt: receipt && receiptFields(receipt),
    formerReceipt: formerReceipt && receiptFields(formerReceipt),
  };
}

export function transactionOf(lane: string, fields: Fields): Transaction {
  const { receipt, formerReceipt, ...rest } = fields;
  const attempts = (fields.attempts as readonly Fields[]).map((attempt) => ({
    ...(attempt as unknown as Attempt),
    maxFeePerGas: BigInt(String(attempt.maxFeePerGas)),
    maxPriorityFeePerGas: BigInt(String(attempt.maxPriorityFeePerGas)),
  }));
  return {
    ...(rest as unknown as Transaction),
    ...{ lane, attempts, gasLimit: BigInt(String(fields.gasLimit)) },
    ...(receipt ? { receipt: receiptOf(receipt as Fields) } : {}),
    ...(formerReceipt ? { formerReceipt: receiptOf(formerReceipt as Fields) } : {}),
  };
}

function receiptFields({ fee, ...rest }: Receipt): Fields {
  return { ...rest, fee: String(fee) };
}

function receiptOf(fields: Fields): Receipt {
  return { ...(fields as unknown as Receipt), fee: BigInt(String(fields.fee)) };
}
