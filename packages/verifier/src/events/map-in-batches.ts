/** Enough for a high latency, and few enough for the limits of public providers. */
const batchSize = 8;

export async function mapInBatches<Item, Answer>(
  items: readonly Item[],
  answerFor: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += batchSize)
    answers.push(...(await Promise.all(items.slice(at, at + batchSize).map((item) => answerFor(item)))));
  return answers;
}
