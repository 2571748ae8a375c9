import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatChain } from '../../shared/chain-format.ts';
import { formatDuration } from '../../shared/date-format.ts';
import { ExactTextArea } from '../../shared/exact-text-area.tsx';
import { useDroppedFiles } from '../../shared/use-dropped-files.ts';
import { useUsualDuration } from '../attestation/usual-duration.ts';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useSession } from '../session/session.ts';
import { useAction } from '../session/use-action.ts';
import { useRefreshed } from '../session/use-refreshed.ts';
import { cidOfText, contentProblem, readText } from '../text/content.ts';
import { ExactView } from '../text/exact-view.tsx';
import { ReplacedText } from './replaced-text.tsx';
import { SameUrl } from './same-url.tsx';
import type { Draft, DraftProps } from './submit.ts';
import { useDebounced } from './use-debounced.ts';
import type { Submission } from './use-submission.ts';

interface AttestFormProps extends DraftProps {
  /** ID of the attestation that the text corrects. */
  readonly corrects: string | undefined;
  /** Attested texts that were submitted or chosen in this tab, by CID. */
  readonly texts: Map<string, string>;
  readonly isBusy: boolean;
  readonly error: unknown;
  onSubmit(submission: Submission): void;
}

export function AttestForm(props: AttestFormProps) {
  const { draft, corrects, texts, isBusy, error, onChange, onSubmit } = props;
  const { client } = useSession();
  const files = useAction();
  const older = useRefreshed([client, corrects], {
    load: async (signal) => (corrects ? client.get(corrects, { signal }) : undefined),
    isUnfinished: () => false,
  });
  const [wasSubmitted, setSubmitted] = useState(false);
  const shown = useDebounced(draft.text);
  const isAttestable = useMemo(() => contentProblem(shown) === undefined, [shown]);
  const problem = useMemo(() => contentProblem(draft.text), [draft.text]);
  const isProblemShown = problem !== undefined && (wasSubmitted || draft.text !== '');
  const [replacedByFile, setReplacedByFile] = useState('');
  const takeFiles = ([file]: readonly File[]) =>
    files.run(async () => {
      if (!file) return;
      const text = await readText(file);
      const contentCid = cidOfText(text);
      if (contentCid === older.value?.contentCid) texts.set(contentCid, text);
      else {
        setReplacedByFile(draft.text);
        onChange({ text });
      }
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
    // A choice for another URL does not count.
    const sameUrl = draft.replaces?.url === draft.url.trim() ? draft.replaces.id : undefined;
    if (!problem) onSubmit({ draft, corrects, replaces: corrects ?? sameUrl });
  };
  return (
    <form class="card" aria-labelledby="attest" aria-busy={isBusy} onSubmit={submit}>
      <h2 id="attest">{corrects ? 'Correct a text' : 'Attest a text'}</h2>
      <label for="text">Text</label>
      <ExactTextArea
        id="text"
        describedBy={isProblemShown ? 'text-hint text-problem' : 'text-hint'}
        text={draft.text}
        isInvalid={isProblemShown}
        onText={(text) => {
          setReplacedByFile('');
          onChange({ text });
        }}
        onFiles={(pasted) => takeFiles([...pasted])}
      />
      <p class="hint" id="text-hint">
        Every character counts. Paste the text, or drop a file. A text or Markdown file is attested unchanged;
        from a web page, only the text is attested.
      </p>
      {isProblemShown && (
        <p class="field-problem" id="text-problem" role={wasSubmitted ? 'alert' : undefined}>
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
      {replacedByFile !== '' && (
        <p role="status" class="hint">
          The file replaced what was here.{' '}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              onChange({ text: replacedByFile });
              setReplacedByFile('');
            }}
          >
            Undo
          </button>
        </p>
      )}
      {isAttestable && <ExactView text={shown} />}
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
      {!corrects && <SameUrl draft={draft} onChange={onChange} />}
      <ChainChoice draft={draft} onChange={onChange} />
      <ErrorAlert error={error} />
      <Estimate chainId={draft.chainId} />
      <p class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Sending…' : corrects ? 'Attest and link as the correction' : 'Attest this text'}
        </button>
        <a class="button" href={corrects ? `#${corrects}` : '#attestations'}>
          Back
        </a>
      </p>
    </form>
  );
}

function ChainChoice({ draft, onChange }: DraftProps) {
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

function Estimate({ chainId }: Pick<Draft, 'chainId'>) {
  const seconds = useUsualDuration(chainId);
  if (seconds === undefined) return null;
  return <p class="hint">Recent texts were on the chain after about {formatDuration(seconds)}.</p>;
}
