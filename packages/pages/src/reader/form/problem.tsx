import type { GivenInvalidError } from '../given/given.ts';

interface ProblemProps {
  readonly problem: GivenInvalidError | undefined;
  onChoice(reference: string): void;
}

/** Why nothing could be checked, and what to choose from. Always there, so that a screen reader tells what comes into it. */
export function Problem({ problem, onChoice }: ProblemProps) {
  return (
    <div role="alert">
      {problem && (
        <div class="problem">
          <strong>Not checked.</strong> {problem.message}
          {problem.choices.map((reference) => (
            <button key={reference} type="button" class="quiet mono" onClick={() => onChoice(reference)}>
              {reference}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
