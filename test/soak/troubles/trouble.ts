import type { Publishers } from '../life/publishers.ts';
import type { Stage } from '../life/stage.ts';

/** Sets right what a trouble did, as far as it does not pass by itself. */
export type End = () => unknown;

/** Of what happens once. */
export const passes: End = () => {};

/** One thing that goes wrong for a while, or once; nothing when there is nothing for it to go wrong with. */
export type Trouble = (stage: Stage, publishers: Publishers) => Promise<End | undefined> | End | undefined;

export type Troubles = Readonly<Record<string, Trouble>>;

export const gwei = 1_000_000_000n;
