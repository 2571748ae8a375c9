import type { Block } from './chain.ts';
import { type ChainSettings, finalitySeconds } from './settings.ts';

export function secondsSince(time: string, now: Date): number {
  return Math.round((now.getTime() - Date.parse(time)) / 1000);
}

/** Age of a block in whole seconds; negative while the chain's clock is ahead of ours. */
export function blockAgeSeconds({ timestamp }: Block, now: Date): number {
  return Math.round(now.getTime() / 1000 - timestamp);
}

export interface AgeLimits {
  /** Of the newest block. */
  readonly head: number;
  /** Of a lane's lowest unmined transaction, since it was bound. */
  readonly unmined: number;
  /** Of an attestation that is neither confirmed nor failed. */
  readonly unfinished: number;
}

/** Least limits: clocks differ by seconds, fast chains pause for longer than some blocks, and queues take their time. */
const least: AgeLimits = { head: 180, unmined: 600, unfinished: 1_800 };

/** Blocks after which a head is stale: of blocks at random times, one in three million takes 15 mean times. */
const headBlocks = 15;

/** Blocks after which a transaction is overdue: by then it was replaced with higher fees 16 times, or is at the cap. */
const unminedBlocks = 50;

/** Factor on the time that one attestation takes alone: others are before it in the queue, and fees rise and fall. */
const unfinishedFactor = 4;

export function ageLimits(settings: ChainSettings | undefined): AgeLimits {
  if (!settings) return least;
  const { blockTimeSeconds, revealDelaySeconds } = settings;
  const usual = revealDelaySeconds + finalitySeconds(settings);
  return {
    head: Math.max(least.head, headBlocks * blockTimeSeconds),
    unmined: Math.max(least.unmined, unminedBlocks * blockTimeSeconds),
    unfinished: Math.max(least.unfinished, unfinishedFactor * usual),
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
