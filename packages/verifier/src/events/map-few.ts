/** Enough to be quick where each answer is far away, and few enough for the limits of public providers. */
const atOnce = 8;

/** Answers for all, in their order, of which only a few are worked at together. The first that fails ends it. */
export async function mapFew<Item, Answer>(
  items: readonly Item[],
  answerFor: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = items.entries();
  let failed = false;
  const work = async () => {
    for (const [at, item] of left) {
      if (failed) return;
      try {
        answers[at] = await answerFor(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}
