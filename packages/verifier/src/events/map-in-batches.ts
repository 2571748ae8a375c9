/** Enough to be quick where each answer is far away, and few enough for the limits of public providers. */
const atOnce = 8;

/** Answers for all, in their order, of which only a few are worked at together. The first that fails ends it. */
export async function mapInBatches<Item, Answer>(
  items: readonly Item[],
  answerFor: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    answers.push(...(await Promise.all(items.slice(at, at + atOnce).map((item) => answerFor(item)))));
  return answers;
}
