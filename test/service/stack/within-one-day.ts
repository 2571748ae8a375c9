const today = (): string => new Date().toISOString().slice(0, 10);

/** Runs work that depends on one UTC day, and repeats it if it fails across midnight. */
export async function withinOneDay<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  const day = today();
  try {
    return await work();
  } catch (error) {
    if (today() === day) throw error;
    return await work();
  }
}
