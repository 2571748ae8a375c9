import type { Block } from './chain.ts';
import { type ChainSettings, finalitySeconds } from './settings.ts';

export function secondsSince(time: string, now: Date): number {
  return Math.round((now.getTime() - Date.parse(time)) / 1000);
}

/** Returns the age of a block in whole seconds; negative while the chain's clock is ahead of ours. */
export function blockAgeSeconds({ timestamp }: Block, now: Date): number {
  return Math.round(now.getTime() / 1000 - timestamp);
}

export interface AgeLimits {
  /** Age of the newest block. */
  readonly head: number;
  /** Time since a lane's lowest unmined transaction got its nonce. */
  readonly unmined: number;
  /** Age of an attestation that is neither confirmed nor failed. */
  readonly unfinished: number;
}

/** Minimum limits: clocks differ by seconds, fast chains pause for several blocks, and operations wait in queues. */
const minLimits: AgeLimits = { head: 180, unmined: 600, unfinished: 1_800 };

/** Blocks after which a head is stale. If blocks arrive at random, one in three million takes 15 mean block times. */
const headBlocks = 15;

/** Blocks after which a transaction is overdue. By then it was replaced 16 times with higher fees, or is at the cap. */
const unminedBlocks = 50;

/** Factor on the time that a single attestation takes: others may precede it in the queue, and fees vary. */
const unfinishedFactor = 4;

export function ageLimits(settings: ChainSettings | undefined): AgeLimits {
  if (!settings) return minLimits;
  const { blockTimeSeconds, revealDelaySeconds } = settings;
  const usual = revealDelaySeconds + finalitySeconds(settings);
  return {
    head: Math.max(minLimits.head, headBlocks * blockTimeSeconds),
    unmined: Math.max(minLimits.unmined, unminedBlocks * blockTimeSeconds),
    unfinished: Math.max(minLimits.unfinished, unfinishedFactor * usual),
  };
}

const minute = 60;
const hour = 3_600;
const day = 86_400;

/** Formats a duration for a person, rounded down: `45 s`, `12 min`, `23 h`, `3 days`. */
export function durationText(seconds: number): string {
  if (seconds < 2 * minute) return `${Math.max(0, seconds)} s`;
  if (seconds < 2 * hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} days`;
}
