/** Whoever works on an attestation keeps the sweep away for longer than its task may wait. */
const checkAfterMinutes = 10;

/** `sweep` is the index's partition, there as long as `checkAt` is. */
export function dueAt(at: Date): { readonly checkAt: string; readonly sweep: 'due' } {
  return { checkAt: at.toISOString(), sweep: 'due' };
}

export function dueLater(now: Date): ReturnType<typeof dueAt> {
  return dueAt(new Date(now.getTime() + checkAfterMinutes * 60_000));
}

/** Nothing is owed any more: no sweep looks for it, and it is not in flight. */
export const notDue = { checkAt: undefined, sweep: undefined, inFlight: undefined } as const;
