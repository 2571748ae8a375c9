import { useEffect, useRef, useState } from 'preact/hooks';
import { PageLayout, renderPage } from '../shared/page-layout.tsx';
import { AttestForm } from './attest/attest-form.tsx';
import { emptyDraft, type Submitted } from './attest/submit.ts';
import { AttestationView } from './attestation/attestation-view.tsx';
import { ListView } from './list/list-view.tsx';
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
  const start = useAction();
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
    rememberCredentials(undefined);
    setSession(undefined);
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
          <button type="button" class="quiet" onClick={() => setChangingKey(!isChangingKey)}>
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
      {session && (
        <SessionProvider value={session}>
          <DelegationBanner />
          <Views />
        </SessionProvider>
      )}
    </PageLayout>
  );
}

function Views() {
  const view = useView();
  const [draft, setDraft] = useState(emptyDraft);
  const [submitted, setSubmitted] = useState<Submitted>();
  const texts = useRef(new Map<string, string>());
  useLeaveWarning(draft.text !== '');
  if (view.name === 'list') return <ListView />;
  if (view.name === 'attestation') {
    const notice = submitted?.id === view.id ? noticeOf(submitted) : undefined;
    return <AttestationView key={view.id} id={view.id} notice={notice} />;
  }
  return (
    <AttestForm
      key={view.corrects ?? 'new'}
      {...{ draft, corrects: view.corrects, texts: texts.current }}
      onChange={(fields) => setDraft((current) => ({ ...current, ...fields }))}
      onSubmitted={(result) => {
        texts.current.set(result.contentCid, draft.text);
        setSubmitted(result);
        setDraft(emptyDraft);
        location.hash = result.id;
      }}
    />
  );
}

const noticeOf = ({ created }: Submitted) =>
  created
    ? 'The service accepted the text. You can close this page: the service continues.'
    : 'The service has this text already. This is its attestation.';

renderPage(<Console />);
