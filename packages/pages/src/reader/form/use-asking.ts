import { useEffect, useRef, useState } from 'preact/hooks';
import { GivenInvalidError } from '../given/given.ts';
import { unexpected } from '../use-check.ts';

/**
 * Sends a request when the reader wants it.
 * @param onAnswer not called if the component is gone by then
 */
export function useAsking<Answer>(ask: () => Promise<Answer>, onAnswer: (answer: Answer) => void) {
  const [state, setState] = useState<'idle' | 'asking' | GivenInvalidError>('idle');
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const start = async () => {
    setState('asking');
    try {
      const answer = await ask();
      setState('idle');
      if (isShown.current) onAnswer(answer);
    } catch (error) {
      setState(error instanceof GivenInvalidError ? error : unexpected(error));
    }
  };
  return {
    isAsking: state === 'asking',
    problem: state instanceof GivenInvalidError ? state.message : undefined,
    start: () => void start(),
  };
}
