import { useEffect, useRef, useState } from 'preact/hooks';
import { PageLayout, renderPage } from '../shared/page-layout.tsx';
import { useDroppedFiles } from '../shared/use-dropped-files.ts';
import { AttestForm } from './attest/attest-form.tsx';
import { type Draft, emptyDraft, type Submitted } from './attest/submit.ts';
import { useSubmission } from './attest/use-submission.ts';
import { AttestationView } from './attestation/attestation-view.tsx';
import { ListView, wholeList } from './list/list-view.tsx';
import { DelegationBanner } from './session/delegation-banner.tsx';
import { ErrorAlert } from './session/error-alert.tsx';
import {
  type Credentials,
  rememberCredentials,
  rememberedCredentials,
  type Session,
  SessionProvider,
  startSession,
} from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { useAction } from './session/use-action.ts';
import { useRefreshed } from './session/use-refreshed.ts';
import { parseView, type View } from './view.ts';

/** The view that the URL's fragment names, so that links and the back button work. */
function useView(): View {
  const [view, setView] = useState(() => parseView(location.hash));
  useEffect(() => {
    const read = () => setView(parseView(location.hash));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return view;
}

const titles: Readonly<Record<View['name'], string>> = {
  list: 'Your attestations',
  attestation: 'Attestation',
  attest: 'Attest a text',
};

/** Moves the focus to a new view and names it, as a browser does for a new page. */
function useFocusedView(view: View) {
  const element = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${titles[view.name]} – Imprimatur`;
    if (!isFirst.current) element.current?.focus();
    isFirst.current = false;
  }, [view]);
  return element;
}

/** Asks before the browser discards a text. */
function useLeaveWarning(hasText: boolean): void {
  useEffect(() => {
    if (!hasText) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasText]);
}

function Console() {
  const [session, setSession] = useState<Session>();
  const [url, setUrl] = useState<string>();
  const [isChangingKey, setChangingKey] = useState(false);
  const [hasText, setHasText] = useState(false);
  const start = useAction();
  // A file that is dropped where no view takes it would replace the page.
  useDroppedFiles(() => {});
  useLeaveWarning(hasText);
  const begin = (next: Session, credentials: Credentials) => {
    setSession(next);
    setUrl(credentials.url);
    setChangingKey(false);
  };
  const resume = () => {
    const credentials = rememberedCredentials();
    if (credentials) start.run(async () => begin(await startSession(credentials), credentials));
  };
  useEffect(resume, []);
  const signOut = () => {
    if (hasText && !confirm('Sign out, and discard the text that is not attested?')) return;
    rememberCredentials(undefined);
    setSession(undefined);
    setUrl(undefined);
    setHasText(false);
    start.run(async () => {});
  };
  return (
    <PageLayout
      title="Attest, correct and quote your texts"
      introduction={session ? undefined : 'For publishers: see your attestations, and add new ones.'}
      footer="This page sends your texts and your key only to your service. It is a single file without third-party requests."
    >
      {session && url && (
        <p class="account">
          <bdi>{new URL(url).host}</bdi>{' '}
          <button
            type="button"
            class="quiet"
            aria-expanded={isChangingKey}
            onClick={() => setChangingKey(!isChangingKey)}
          >
            Change key
          </button>{' '}
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </p>
      )}
      {start.isBusy && <p role="status">Signing in…</p>}
      {start.error !== undefined && !session && <ErrorAlert error={start.error} onRetry={resume} />}
      {!start.isBusy && (!session || isChangingKey) && <SignIn currentUrl={url} onSession={begin} />}
      {session && <SignedIn session={session} onText={setHasText} />}
    </PageLayout>
  );
}

interface SignedInProps {
  readonly session: Session;
  /** Called with whether there is a text that is not attested. */
  onText(hasText: boolean): void;
}

function SignedIn({ session, onText }: SignedInProps) {
  const { client } = session;
  const { value: chains = session.chains } = useRefreshed([client], {
    load: (signal) => client.chains({ signal }),
    isUnfinished: (read) => read.some(({ delegationActive }) => delegationActive !== true),
  });
  return (
    <SessionProvider value={{ client, chains }}>
      <DelegationBanner />
      <Views onText={onText} />
    </SessionProvider>
  );
}

/** Drafts by the ID of the attestation that they correct; the one of a new text has the key `new`. */
type Drafts = Readonly<Record<string, Draft>>;

const draftKey = (corrects: string | undefined) => corrects ?? 'new';

function Views({ onText }: Pick<SignedInProps, 'onText'>) {
  const view = useView();
  const [list, setList] = useState(wholeList);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [submitted, setSubmitted] = useState<Submitted>();
  const texts = useRef(new Map<string, string>());
  const current = useFocusedView(view);
  const change = (key: string, update: (draft: Draft) => Draft) =>
    setDrafts((all) => ({ ...all, [key]: update(all[key] ?? emptyDraft) }));
  const { isBusy, errorOf, submit } = useSubmission(({ corrects, draft }, result) => {
    texts.current.set(result.contentCid, draft.text);
    setSubmitted(result);
    // What was typed since then stays.
    change(draftKey(corrects), (now) => (now.text === draft.text ? emptyDraft : now));
    if (view.name === 'attest' && view.corrects === corrects) location.hash = result.id;
  });
  const hasText = Object.values(drafts).some(({ text }) => text !== '');
  useEffect(() => onText(hasText), [hasText]);
  // The result of a submission is news only until the person leaves its attestation.
  useEffect(() => {
    if (submitted && view.name !== 'attest' && !(view.name === 'attestation' && view.id === submitted.id))
      setSubmitted(undefined);
  }, [view]);
  return (
    <div ref={current} tabIndex={-1} class="view">
      {view.name === 'list' && <ListView state={list} onState={setList} />}
      {view.name === 'attestation' && (
        <AttestationView
          key={view.id}
          id={view.id}
          submitted={submitted?.id === view.id ? submitted : undefined}
        />
      )}
      {view.name === 'attest' && (
        <AttestForm
          key={draftKey(view.corrects)}
          draft={drafts[draftKey(view.corrects)] ?? emptyDraft}
          corrects={view.corrects}
          {...{ texts: texts.current, isBusy, error: errorOf(view.corrects) }}
          onChange={(fields) => change(draftKey(view.corrects), (draft) => ({ ...draft, ...fields }))}
          onSubmit={submit}
        />
      )}
    </div>
  );
}

renderPage(<Console />);
