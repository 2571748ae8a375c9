/**
 * Emulators of AWS for which templates are made. Neither has versions of state machines. MiniStack also lacks alarms on
 * sums, conditions under which keys sign, and canaries.
 */
export const emulators = ['ministack', 'localstack'] as const;
export type Emulator = (typeof emulators)[number];
