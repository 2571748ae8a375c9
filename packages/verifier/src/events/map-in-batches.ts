/** Enough for a high latency, and few enough for the limits of public providers. */
const batchSize = 8;

export async function mapInBatches<Item, Answer>(
  items: readonly Item[],
  read: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < items.length; start += batchSize)
    answers.push(...(await Promise.all(items.slice(start, start + batchSize).map((item) => read(item)))));
  return answers;
}
