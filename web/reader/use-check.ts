import { useRef, useState } from 'preact/hooks';
import type { Asking } from './asking/asking.ts';
import { type AnyVerdict, check } from './asking/check.ts';
import { type Given, GivenInvalidError, givenWords } from './given/given.ts';
import { subjectOf } from './given/subject.ts';

/** A verdict, what it is of, and when it was drawn, in seconds since 1970. */
export interface Checked {
  readonly verdict: AnyVerdict;
  readonly given: string;
  readonly checkedAt: number;
}

/** Where the reader stands: he gives something, it is checked, or there is a verdict. */
export type Stage = 'giving' | 'checking' | Checked;

const unexpected = (error: unknown) =>
  new GivenInvalidError(
    `This page failed, which says nothing of the text: ${error instanceof Error ? error.message : error}`,
  );

/** Long work would keep the browser from showing that it has begun. */
const shown = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Checks, one thing at a time; what was stopped or begun before is not heard of again. */
export function useCheck() {
  const [stage, setStage] = useState<Stage>('giving');
  const [problem, setProblem] = useState<GivenInvalidError>();
  const turn = useRef(0);
  const back = (why?: GivenInvalidError) => {
    turn.current += 1;
    setStage('giving');
    setProblem(why);
  };
  const start = async (given: Given, asking: Asking) => {
    turn.current += 1;
    const mine = turn.current;
    setProblem(undefined);
    setStage('checking');
    try {
      await shown();
      const verdict = await check(subjectOf(given), asking);
      if (mine !== turn.current) return;
      setStage({ verdict, given: givenWords(given), checkedAt: Math.floor(Date.now() / 1000) });
    } catch (error) {
      if (mine === turn.current) back(error instanceof GivenInvalidError ? error : unexpected(error));
    }
  };
  return { stage, problem, start, back };
}
