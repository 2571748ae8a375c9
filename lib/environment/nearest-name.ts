/** The name that was likely meant: the nearest of the known ones, if a third of its letters at most are other ones. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const nearest = known
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return nearest && nearest.distance <= nearest.one.length / 3 ? nearest.one : undefined;
}

/** Number of letters to add, remove or change to make the one name of the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...to].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
