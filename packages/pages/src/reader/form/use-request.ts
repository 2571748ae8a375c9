import { useState } from 'preact/hooks';
import { useIsShown } from '../../shared/use-is-shown.ts';
import { InputInvalidError } from '../input/input.ts';
import { unexpectedError } from '../use-check.ts';

/** Sends a request when the reader wants it. @param onAnswer not called after unmounting */
export function useRequest<Answer>(request: () => Promise<Answer>, onAnswer: (answer: Answer) => void) {
  const [state, setState] = useState<'idle' | 'loading' | InputInvalidError>('idle');
  const isShown = useIsShown();
  const start = async () => {
    setState('loading');
    try {
      const answer = await request();
      setState('idle');
      if (isShown.current) onAnswer(answer);
    } catch (error) {
      setState(error instanceof InputInvalidError ? error : unexpectedError(error));
    }
  };
  return {
    isLoading: state === 'loading',
    problem: state instanceof InputInvalidError ? state.message : undefined,
    start: () => void start(),
  };
}
