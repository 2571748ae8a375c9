import * as z from 'zod';
import { coinsToWei, gweiToWei } from '../amounts.ts';
import type { Change, Fields, Key } from '../records.ts';
import type { ChainSettings } from '../settings.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import { usageExpiry, usageRecord } from './daily-usage.ts';
import type { OrganizationLimits } from './organization.ts';

const gwei = 1_000_000_000n;

/** Gas of 200 attestations. Their cost at the fee cap is the default budget, because coins differ in value. */
export const defaultBudgetGas = 30_000_000n;

/** A default budget is at most the lane's budget divided by this, so that other organizations can continue. */
const laneBudgetDivisor = 4n;

export function feeUsageRecord(organizationId: string, chainId: number, time: string): Key {
  return { ...usageRecord(organizationId, time), sk: `fees#${chainId}#${time.slice(0, 10)}` };
}

/** Fees of a day in gwei, because a `number` cannot hold them in wei. */
const feeUsageForm = formOf({ gwei: z.int() });

/** Parses a day's fees, in wei; 0 without a record. @throws RecordInvalidError */
export function parseFeeUsage(usage: Fields | undefined): bigint {
  return usage ? BigInt(parseRecord('fee usage', feeUsageForm, usage).gwei) * gwei : 0n;
}

/** Returns the maximum fees of an organization's operations on a chain in a UTC day, in wei. */
export function feeBudget(
  { chainId, organizationDailyFeeBudget, maxFeePerGasGwei, dailyFeeBudget }: ChainSettings,
  { feeBudgets = {} }: OrganizationLimits = {},
): bigint {
  const coins = feeBudgets[chainId] ?? organizationDailyFeeBudget;
  if (coins !== undefined) return coinsToWei(coins);
  const usual = defaultBudgetGas * gweiToWei(maxFeePerGasGwei);
  const upperBound = dailyFeeBudget === undefined ? usual : coinsToWei(dailyFeeBudget) / laneBudgetDivisor;
  return usual < upperBound ? usual : upperBound;
}

export interface PaidOperations {
  readonly chainId: number;
  /** Negative if a reorg moved the transaction to another block, where it cost less. */
  readonly fee: bigint;
  readonly operations: readonly { readonly organizationId: string }[];
  readonly now: Date;
}

/** Adds an organization's fees to its first operation, so that they count once. Operations pay equal shares. */
export function withFeeUsage(changes: readonly Change[][], paid: PaidOperations): Change[][] {
  const counted = new Set<string>();
  return changes.map((change, position) => {
    const { organizationId } = paid.operations[position] ?? {};
    if (organizationId === undefined || paid.fee === 0n || counted.has(organizationId)) return change;
    counted.add(organizationId);
    return [...change, addFees(organizationId, paid)];
  });
}

function addFees(organizationId: string, { chainId, fee, operations, now }: PaidOperations): Change {
  const count = operations.filter((operation) => operation.organizationId === organizationId).length;
  const time = now.toISOString();
  return {
    key: feeUsageRecord(organizationId, chainId, time),
    set: { expiresAt: usageExpiry(time) },
    add: { gwei: Number(divideUp(fee * BigInt(count), BigInt(operations.length) * gwei)) },
  };
}

/** Divides and rounds up. Division of a negative `bigint` already rounds up. */
function divideUp(amount: bigint, parts: bigint): bigint {
  return amount > 0n ? (amount + parts - 1n) / parts : amount / parts;
}
