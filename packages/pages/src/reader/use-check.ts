import type { PublisherFinding } from 'imprimatur-verifier';
import { useRef, useState } from 'preact/hooks';
import { describeInput, InputInvalidError, type ReaderInput } from './input/input.ts';
import { parseSubject, type Subject } from './input/subject.ts';
import { type AnyVerdict, type ChainSource, check, providersFor } from './source/chain-source.ts';

/** A verdict with its input, and its time in seconds since 1970. */
export interface Checked {
  readonly verdict: AnyVerdict;
  readonly input: string;
  readonly checkedAt: number;
  /** Whether a domain vouches for the authority; `undefined` if no domain was checked. */
  readonly publisher?: PublisherFinding | undefined;
  readonly pageText: string | undefined;
  readonly textHosts: readonly string[];
  /** Domain in the proof file; may be empty. */
  readonly domainHint: string;
  readonly providers: readonly string[];
}

export type Stage = 'input' | 'checking' | Checked;

const hintOf = (subject: Subject) => ('quote' in subject ? '' : (subject.proof?.publisher?.domain ?? ''));

function pageTextOf(subject: Subject): string | undefined {
  if ('quote' in subject || subject.page === undefined) return undefined;
  const { text } = subject;
  return text instanceof Uint8Array ? new TextDecoder().decode(text) : text;
}

/** Converts an unexpected error, so that the page does not wait forever. */
export const unexpectedError = (error: unknown) =>
  new InputInvalidError(
    `This page failed, which says nothing about the text: ${error instanceof Error ? error.message : error}`,
  );

/** Lets the browser paint before long work starts. */
const paint = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Runs one check at a time. Drops the results of earlier checks. */
export function useCheck() {
  const [stage, setStage] = useState<Stage>('input');
  const [problem, setProblem] = useState<InputInvalidError>();
  const latest = useRef(0);
  const back = (error?: InputInvalidError) => {
    latest.current += 1;
    setStage('input');
    setProblem(error);
  };
  const start = async (input: ReaderInput, source: ChainSource) => {
    latest.current += 1;
    const run = latest.current;
    setProblem(undefined);
    setStage('checking');
    try {
      await paint();
      const subject = parseSubject(input);
      const verdict = await check(subject, source);
      if (run !== latest.current) return;
      setStage({
        ...{ verdict, input: describeInput(input), checkedAt: Math.floor(Date.now() / 1000) },
        pageText: pageTextOf(subject),
        textHosts: input.files.flatMap(({ host }) => host ?? []),
        domainHint: hintOf(subject),
        providers: source.kind === 'none' ? [] : providersFor(source, verdict.reference.chainId),
      });
    } catch (error) {
      if (run === latest.current) back(error instanceof InputInvalidError ? error : unexpectedError(error));
    }
  };
  const addPublisher = (checked: Checked, publisher: PublisherFinding) =>
    setStage((current) => (current === checked ? { ...checked, publisher } : current));
  return { stage, problem, start, back, addPublisher };
}
