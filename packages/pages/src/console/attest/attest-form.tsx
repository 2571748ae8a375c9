import { useEffect, useState } from 'preact/hooks';
import { formatChain } from '../../shared/chain-format.ts';
import { ExactTextArea } from '../../shared/exact-text-area.tsx';
import { useDroppedFiles } from '../../shared/use-dropped-files.ts';
import { useUsualDuration } from '../attestation/use-usual-duration.ts';
import { formatDuration } from '../attestation/usual-duration.ts';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useSession } from '../session/session.ts';
import { useAction } from '../session/use-action.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { contentProblem, readText } from '../text/content.ts';
import { ExactView } from '../text/exact-view.tsx';
import { ReplacedText } from './replaced-text.tsx';
import { SameUrl } from './same-url.tsx';
import { type Draft, type Submitted, submitDraft } from './submit.ts';
import { useDebounced } from './use-debounced.ts';

export interface AttestFormProps {
  readonly draft: Draft;
  /** ID of the attestation that the text corrects. */
  readonly corrects?: string | undefined;
  /** Texts that were attested in this tab, by CID. */
  readonly texts: ReadonlyMap<string, string>;
  /** Changes these fields of the draft. Keeps the others, which the person may have changed meanwhile. */
  onChange(fields: Partial<Draft>): void;
  onSubmitted(submitted: Submitted): void;
}

export function AttestForm({ draft, corrects, texts, onChange, onSubmitted }: AttestFormProps) {
  const { client } = useSession();
  const { isBusy, error, run } = useAction();
  const files = useAction();
  const older = useRefreshed([client, corrects], {
    load: async (signal) => (corrects ? client.get(corrects, { signal }) : undefined),
    isUnfinished: () => false,
  });
  const [replaces, setReplaces] = useState<string>();
  const [wasSubmitted, setSubmitted] = useState(false);
  const shown = useDebounced(draft.text);
  const problem = contentProblem(draft.text);
  const isProblemShown = problem !== undefined && (wasSubmitted || draft.text !== '');
  const takeFiles = ([file]: readonly File[]) =>
    files.run(async () => {
      if (file) onChange({ text: await readText(file) });
    });
  useEffect(() => {
    // A correction usually has the URL and the chain of the older text.
    const { url = '', chainId } = older.value ?? {};
    if (older.value) onChange({ url: draft.url || url, chainId: draft.chainId ?? chainId });
  }, [older.value]);
  useDroppedFiles((dropped) => takeFiles([...dropped]));
  const submit = (event: Event) => {
    event.preventDefault();
    setSubmitted(true);
    if (problem) return;
    run(async () => onSubmitted(await submitDraft(client, draft, corrects ?? replaces)));
  };
  return (
    <form class="card" aria-labelledby="attest" aria-busy={isBusy} onSubmit={submit}>
      <h2 id="attest">{corrects ? 'Correct a text' : 'Attest a text'}</h2>
      <fieldset disabled={isBusy}>
        <label for="text">Text</label>
        <ExactTextArea
          id="text"
          describedBy="text-hint"
          text={draft.text}
          isInvalid={isProblemShown}
          onText={(text) => onChange({ text })}
          onFiles={(pasted) => takeFiles([...pasted])}
        />
        <p class="hint" id="text-hint">
          Every character counts. Paste the text, or drop a file. A text or Markdown file is attested
          unchanged; from a web page, only the text is attested.
        </p>
        {isProblemShown && (
          <p class="field-problem" role="alert">
            {problem}
          </p>
        )}
        <label class="button">
          Choose a file
          <input
            class="visually-hidden"
            type="file"
            onChange={(event) => {
              takeFiles([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = '';
            }}
          />
        </label>
        <ErrorAlert error={files.error} />
        {shown !== '' && contentProblem(shown) === undefined && <ExactView text={shown} />}
        <ErrorAlert error={older.error} onRetry={older.refresh} />
        {older.value && <ReplacedText attestation={older.value} text={shown} texts={texts} />}
        <div class="field">
          <label for="url">URL of the article (optional)</label>
          <input
            id="url"
            type="url"
            autocomplete="off"
            value={draft.url}
            onInput={(event) => onChange({ url: event.currentTarget.value })}
          />
        </div>
        {!corrects && <SameUrl url={draft.url} replaces={replaces} onReplaces={setReplaces} />}
        <ChainChoice draft={draft} onChange={onChange} />
      </fieldset>
      <ErrorAlert error={error} />
      <Estimate />
      <p class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Sending…' : corrects ? 'Attest and link as the correction' : 'Attest this text'}
        </button>
        <a class="button" href={corrects ? `#${corrects}` : '#attestations'}>
          Cancel
        </a>
      </p>
    </form>
  );
}

function ChainChoice({ draft, onChange }: Pick<AttestFormProps, 'draft' | 'onChange'>) {
  const { chains } = useSession();
  if (chains.length < 2) return null;
  return (
    <div class="field">
      <label for="chain">Chain</label>
      <select
        id="chain"
        value={draft.chainId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ chainId: value === '' ? undefined : Number(value) })
        }
      >
        <option value="">The default of your organization</option>
        {chains.map(({ chainId }) => (
          <option key={chainId} value={chainId}>
            {formatChain(chainId)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Estimate() {
  const seconds = useUsualDuration();
  if (seconds === undefined) return null;
  return <p class="hint">Recent attestations were confirmed after about {formatDuration(seconds)}.</p>;
}
