type Clock = () => Date;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Runs work that depends on one UTC day, and repeats it if it fails across midnight. */
export async function withinOneDay<Outcome>(
  work: () => Promise<Outcome>,
  now: Clock = () => new Date(),
): Promise<Outcome> {
  const day = dayOf(now());
  try {
    return await work();
  } catch (error) {
    if (dayOf(now()) === day) throw error;
    return await work();
  }
}
