type Clock = () => Date;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * For what holds within one UTC day of the running stack, whose clock nobody sets: work that fails is done once more if
 * midnight came meanwhile. On any other day its failure stands.
 */
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
