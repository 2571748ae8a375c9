import * as z from 'zod';
import { coinsToWei, gweiToWei } from '../amounts.ts';
import type { Change, Fields, Key } from '../records.ts';
import type { ChainSettings } from '../settings.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import { usageExpiry, usageRecord } from './daily-usage.ts';
import type { OrganizationLimits } from './organization.ts';

const gwei = 1_000_000_000n;

/**
 * Gas of a usual day, 200 attestations with commit and reveal, which the default budget pays for at the chain's fee cap. A sum in coins
 * would be too much on one chain and too little on another.
 */
export const usualBudgetGas = 30_000_000n;

/** Part of the lane's budget that the default budget of one organization is at most: the others' operations go on. */
const lanesShare = 4n;

/** Key of the fees that an organization's operations took on a chain, in the UTC day of that ISO 8601 timestamp. */
export function feeUsageRecord(organizationId: string, chainId: number, at: string): Key {
  return { ...usageRecord(organizationId, at), sk: `fees#${chainId}#${at.slice(0, 10)}` };
}

/** Gwei, of which a number holds the fees of any day; wei would be too many. */
const feeUsageForm = formOf({ gwei: z.int() });

/** Returns the fees that a day's record holds, in wei; a day without one has none. @throws RecordInvalidError */
export function parseFeeUsage(usage: Fields | undefined): bigint {
  return usage ? BigInt(parseRecord('fee usage', feeUsageForm, usage).gwei) * gwei : 0n;
}

/** Returns the fees, in wei, that an organization's operations may take on a chain in a UTC day. */
export function feeBudget(
  { chainId, organizationDailyFeeBudget, maxFeePerGasGwei, dailyFeeBudget }: ChainSettings,
  { feeBudgets = {} }: OrganizationLimits = {},
): bigint {
  const coins = feeBudgets[chainId] ?? organizationDailyFeeBudget;
  if (coins !== undefined) return coinsToWei(coins);
  const usual = usualBudgetGas * gweiToWei(maxFeePerGasGwei);
  const most = dailyFeeBudget === undefined ? usual : coinsToWei(dailyFeeBudget) / lanesShare;
  return usual < most ? usual : most;
}

/** The fee of a transaction, in wei, and its operations. */
export interface PaidOperations {
  readonly chainId: number;
  /** Less than none when a reorg undid the transaction and it cost more before. */
  readonly fee: bigint;
  readonly operations: readonly { readonly organizationId: string }[];
  readonly now: Date;
}

/**
 * Adds to the changes of each operation the fees of its organization, in the write that settles its first one, so that they are counted
 * once. Each operation has an equal part of the fee; an organization's sum is rounded up to a gwei.
 */
export function withFeeUsage(changes: readonly Change[][], paid: PaidOperations): Change[][] {
  const counted = new Set<string>();
  return changes.map((one, position) => {
    const { organizationId } = paid.operations[position] ?? {};
    if (organizationId === undefined || paid.fee === 0n || counted.has(organizationId)) return one;
    counted.add(organizationId);
    return [...one, addFees(organizationId, paid)];
  });
}

function addFees(organizationId: string, { chainId, fee, operations, now }: PaidOperations): Change {
  const own = operations.filter((operation) => operation.organizationId === organizationId).length;
  const at = now.toISOString();
  return {
    key: feeUsageRecord(organizationId, chainId, at),
    set: { expiresAt: usageExpiry(at) },
    add: { gwei: Number(dividedUp(fee * BigInt(own), BigInt(operations.length) * gwei)) },
  };
}

/** Divides, and rounds up. Division of a negative `bigint` rounds up by itself. */
function dividedUp(amount: bigint, parts: bigint): bigint {
  return amount > 0n ? (amount + parts - 1n) / parts : amount / parts;
}
