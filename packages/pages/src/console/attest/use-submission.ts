import { useRef } from 'preact/hooks';
import { useSession } from '../session/session.ts';
import { useAction } from '../session/use-action.ts';
import { type Draft, type Submitted, submitDraft } from './submit.ts';

/** What is submitted: a draft, and the ID of the attestation that it corrects, if any. */
export interface Submission {
  readonly draft: Draft;
  /** Attestation that this form corrects, which distinguishes the forms. */
  readonly corrects: string | undefined;
  /** Attestation to link: `corrects`, or another one with the same URL. */
  readonly replaces: string | undefined;
}

/** Submits one draft at a time. A submission continues even if the person leaves the form. */
export function useSubmission(onSubmitted: (submission: Submission, result: Submitted) => void) {
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const last = useRef<Submission>(undefined);
  // The latest callback, because drafts and views change while a request is pending.
  const callback = useRef(onSubmitted);
  callback.current = onSubmitted;
  const submit = (submission: Submission) =>
    run(async () => {
      last.current = submission;
      const { draft, replaces } = submission;
      callback.current(submission, await submitDraft(client, draft, replaces));
    });
  /** The error of the last submission of this form. */
  const errorOf = (corrects: string | undefined) => (last.current?.corrects === corrects ? error : undefined);
  return { isBusy, errorOf, submit };
}
