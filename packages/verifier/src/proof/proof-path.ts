/** The path of a text's proof file beside it: `article.proof.json` beside `article.md`. */
export function proofBeside(path: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}.proof.json`;
}
