/** Does the work for every item, with a limit on how many run at once. Outcomes are in the order of the items. */
export async function runConcurrently<Item, Outcome>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [position, item] of queue) outcomes[position] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return outcomes;
}
