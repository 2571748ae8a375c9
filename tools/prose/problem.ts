/** A line that the style guide does not allow. */
export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}
