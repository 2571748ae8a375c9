import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { mount, Shell } from '../shared/page.tsx';
import { askDomain } from './asking/ask-host.ts';
import type { Asking } from './asking/asking.ts';
import { AskingField } from './form/asking-field.tsx';
import { GivenFields } from './form/given-fields.tsx';
import { PageText } from './form/page-text.tsx';
import { type GivenFile, GivenInvalidError, nothingGiven, readFiles, withFiles } from './given/given.ts';
import { problemOfReference } from './given/subject.ts';
import { type Checked, type Stage, useCheck } from './use-check.ts';
import { headlineOf } from './verdict/headline.ts';
import { SignerQuestion } from './verdict/signer-question.tsx';
import { VerdictView } from './verdict/verdict-view.tsx';

const key = 'imprimatur-rpc-urls';

/** Remembered RPC URLs; may be empty. Pages on disk and private windows may have no storage. */
function rememberedUrls(): string {
  try {
    return window.localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Remembers RPC URLs, or forgets them if there are none. */
function rememberUrls(urls: string): void {
  try {
    if (urls === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, urls);
  } catch {
    // Without storage, nothing is remembered.
  }
}

/** Accepts files that are dropped anywhere. Otherwise the browser would leave the page and open them. */
function useDrops(onFiles: (files: Iterable<File>) => void): void {
  // Not `useEffect`, which would run after the first paint.
  useLayoutEffect(() => {
    const take = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
    };
    const events = ['dragover', 'drop'] as const;
    for (const event of events) window.addEventListener(event, take);
    return () => {
      for (const event of events) window.removeEventListener(event, take);
    };
  }, []);
}

/** Fragment of the page's URL, which is never sent to a host. */
function fragment(): string {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes the reference from the fragment, also when it changes. */
function useLink(onReference: (reference: string) => void): void {
  useEffect(() => {
    const take = () => {
      const reference = fragment();
      if (reference !== '') onReference(reference);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
}

function firstAsking(): Asking {
  const urls = rememberedUrls();
  return { whom: urls === '' ? 'public' : 'own', urls, registries: '', blockHash: '' };
}

/** Text that a screen reader announces. */
function announcement(stage: Stage): string {
  if (stage === 'giving') return '';
  if (stage === 'checking') return 'Checking…';
  const { verdict, publisher, pageText } = stage;
  const { title, aside, summary } = headlineOf(verdict, publisher, pageText !== undefined);
  return [title, aside, summary].filter((words) => words !== undefined).join('. ');
}

/** Whether a domain could still vouch for the authority. */
const canAsk = ({ verdict, providers, publisher }: Checked) =>
  verdict.attestation !== undefined && providers.length > 0 && publisher?.outcome !== 'vouches';

interface ProblemProps {
  readonly problem: GivenInvalidError | undefined;
  onChoice(reference: string): void;
}

/**
 * Shows an error and the references to choose from. The element always exists, so that screen readers announce its
 * content.
 */
function Problem({ problem, onChoice }: ProblemProps) {
  return (
    <div role="alert">
      {problem && (
        <div class="problem">
          <strong>Not checked.</strong> {problem.message}
          {problem.choices.map((reference) => (
            <button key={reference} type="button" class="quiet mono" onClick={() => onChoice(reference)}>
              {reference}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const lede =
  'Enter a text and its attestation. This page reads the blockchain, not the publisher’s website, and shows whether the text was changed, corrected, or revoked.';

/** The reader's page. */
function Reader() {
  const [given, setGiven] = useState(nothingGiven);
  const [asking, setAsking] = useState(firstAsking);
  const [remember, setRemember] = useState(asking.urls !== '');
  const { stage, problem, start, back, addPublisher } = useCheck();

  const takeFiles = async (files: Iterable<File>) => {
    try {
      const read = await readFiles(files);
      setGiven((before) => withFiles(before, read));
      back();
    } catch (error) {
      if (!(error instanceof GivenInvalidError)) throw error;
      back(error);
    }
  };
  const takeText = (text: GivenFile) => setGiven((before) => withFiles(before, [text]));
  const takeReference = (reference: string) => {
    setGiven({ ...nothingGiven, reference });
    back(problemOfReference(reference));
  };
  useDrops(takeFiles);
  useLink(takeReference);

  const submit = (event: Event) => {
    event.preventDefault();
    if (asking.whom === 'own') rememberUrls(remember ? asking.urls.trim() : '');
    start(given, asking);
  };
  return (
    <Shell
      title="Is this the attested text?"
      lede={typeof stage === 'object' ? undefined : lede}
      footer="Nothing that you paste or choose leaves this page. The page is a single file: save it, and it works from your disk, even if the publisher and this website are gone."
    >
      <p class="unseen" role="status">
        {announcement(stage)}
      </p>
      {typeof stage === 'object' ? (
        <VerdictView {...stage}>
          <p class="actions screen-only">
            <button type="button" onClick={() => back()}>
              Change the input
            </button>
            <button type="button" onClick={() => start(given, asking)}>
              Check again
            </button>
            <button type="button" onClick={() => window.print()}>
              Print
            </button>
          </p>
          <PageText
            given={given}
            onText={(text) => {
              takeText(text);
              start(withFiles(given, [text]), asking);
            }}
          />
          {canAsk(stage) && (
            <SignerQuestion
              authorityAddress={stage.verdict.reference.authorityAddress}
              hint={stage.domainHint}
              ask={(domain) => askDomain(stage.verdict, domain, stage.providers)}
              onFinding={(finding) => addPublisher(stage, finding)}
            />
          )}
        </VerdictView>
      ) : (
        <form onSubmit={submit} aria-busy={stage === 'checking'}>
          <fieldset disabled={stage === 'checking'}>
            <GivenFields given={given} onGiven={setGiven} onFiles={takeFiles} onText={takeText} />
            <section class="card">
              <AskingField {...{ asking, remember }} onAsking={setAsking} onRemember={setRemember} />
            </section>
          </fieldset>
          <Problem
            problem={problem}
            onChoice={(reference) => {
              setGiven({ ...given, reference });
              back();
            }}
          />
          <p class="actions">
            {stage === 'checking' ? (
              // Different keys: if the button became the other one during a click, the check would restart.
              <button key="stop" type="button" onClick={() => back()}>
                Stop checking
              </button>
            ) : (
              <button key="check" type="submit" class="primary">
                Check
              </button>
            )}
          </p>
        </form>
      )}
    </Shell>
  );
}

mount(<Reader />);
