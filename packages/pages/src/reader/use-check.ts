import type { PublisherFinding } from 'imprimatur-verifier';
import { useRef, useState } from 'preact/hooks';
import { type AnyVerdict, type Asking, check, providersFor } from './asking/asking.ts';
import { type Given, GivenInvalidError, givenWords } from './given/given.ts';
import { type Subject, subjectOf } from './given/subject.ts';

/** A verdict, what it is of, and when it was drawn, in seconds since 1970. */
export interface Checked {
  readonly verdict: AnyVerdict;
  readonly given: string;
  readonly checkedAt: number;
  /** What a domain says of who attested; `undefined` where none was asked. */
  readonly publisher?: PublisherFinding | undefined;
  /** The text that was given with a page, for the reader to go by; `undefined` without one. */
  readonly pageText: string | undefined;
  /** The hosts that were asked for a text. */
  readonly textHosts: readonly string[];
  /** The domain that the proof file names, a hint; empty without one. */
  readonly domainHint: string;
  /** The providers that were asked; none where nobody was to be. */
  readonly providers: readonly string[];
}

/** Where the reader stands: he gives something, it is checked, or there is a verdict. */
export type Stage = 'giving' | 'checking' | Checked;

const hintIn = (subject: Subject) => ('quote' in subject ? '' : (subject.proof?.publisher?.domain ?? ''));

function pageTextIn(subject: Subject): string | undefined {
  if ('quote' in subject || subject.page === undefined) return undefined;
  const { text } = subject;
  return text instanceof Uint8Array ? new TextDecoder().decode(text) : text;
}

/** A fault of the page, in words for the reader, who would wait for ever otherwise. */
export const unexpected = (error: unknown) =>
  new GivenInvalidError(
    `This page failed, which says nothing about the text: ${error instanceof Error ? error.message : error}`,
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
