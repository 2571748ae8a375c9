import type { Publishers } from '../life/publishers.ts';
import type { Stage } from '../life/stage.ts';

/** Repairs the effects of a trouble that do not pass by themselves. */
export type End = () => unknown;

/** The end of a trouble that happens once and needs no repair. */
export const passes: End = () => {};

/**
 * Starts a trouble, which lasts for a while or happens once; returns nothing when there is nothing that it could
 * affect.
 */
export type Trouble = (stage: Stage, publishers: Publishers) => Promise<End | undefined> | End | undefined;

export type Troubles = Readonly<Record<string, Trouble>>;

export const gwei = 1_000_000_000n;
