import type { PublisherFinding } from 'imprimatur-verifier';
import { useRef, useState } from 'preact/hooks';
import { type AnyVerdict, type Asking, check, providersFor } from './asking/asking.ts';
import { type Given, GivenInvalidError, givenWords } from './given/given.ts';
import { type Subject, subjectOf } from './given/subject.ts';

/** A verdict with its input, and its time in seconds since 1970. */
export interface Checked {
  readonly verdict: AnyVerdict;
  readonly given: string;
  readonly checkedAt: number;
  /** Whether a domain vouches for the authority; `undefined` if no domain was asked. */
  readonly publisher?: PublisherFinding | undefined;
  /** Text of the given page. */
  readonly pageText: string | undefined;
  /** Hosts that returned a text. */
  readonly textHosts: readonly string[];
  /** Domain in the proof file; may be empty. */
  readonly domainHint: string;
  /** RPC providers that were used. */
  readonly providers: readonly string[];
}

export type Stage = 'giving' | 'checking' | Checked;

const hintIn = (subject: Subject) => ('quote' in subject ? '' : (subject.proof?.publisher?.domain ?? ''));

function pageTextIn(subject: Subject): string | undefined {
  if ('quote' in subject || subject.page === undefined) return undefined;
  const { text } = subject;
  return text instanceof Uint8Array ? new TextDecoder().decode(text) : text;
}

/** Converts an unexpected error, so that the page does not wait forever. */
export const unexpected = (error: unknown) =>
  new GivenInvalidError(
    `This page failed, which says nothing about the text: ${error instanceof Error ? error.message : error}`,
  );

/** Lets the browser paint before long work starts. */
const shown = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Runs one check at a time. Results of earlier checks are dropped. */
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
      const subject = subjectOf(given);
      const verdict = await check(subject, asking);
      if (mine !== turn.current) return;
      setStage({
        ...{ verdict, given: givenWords(given), checkedAt: Math.floor(Date.now() / 1000) },
        pageText: pageTextIn(subject),
        textHosts: given.files.flatMap(({ askedOf }) => askedOf ?? []),
        domainHint: hintIn(subject),
        providers: asking.whom === 'nobody' ? [] : providersFor(asking, verdict.reference.chainId),
      });
    } catch (error) {
      if (mine === turn.current) back(error instanceof GivenInvalidError ? error : unexpected(error));
    }
  };
  const addPublisher = (checked: Checked, publisher: PublisherFinding) =>
    setStage((now) => (now === checked ? { ...checked, publisher } : now));
  return { stage, problem, start, back, addPublisher };
}
