import { useEffect, useState } from 'preact/hooks';
import { PageLayout, renderPage } from '../shared/page-layout.tsx';
import { useDroppedFiles } from '../shared/use-dropped-files.ts';
import { InputFields } from './form/input-fields.tsx';
import { PageText } from './form/page-text.tsx';
import { SourceField } from './form/source-field.tsx';
import { emptyInput, type InputFile, InputInvalidError, readFiles, withFiles } from './input/input.ts';
import { checkReference } from './input/subject.ts';
import type { ChainSource } from './source/chain-source.ts';
import { checkDomain } from './source/host-requests.ts';
import { type Checked, type Stage, useCheck } from './use-check.ts';
import { DomainForm } from './verdict/domain-form.tsx';
import { headlineOf } from './verdict/headline.ts';
import { VerdictView } from './verdict/verdict-view.tsx';

const key = 'imprimatur-rpc-urls';

/** Reads the remembered RPC URLs, which may be empty. Pages on disk and private windows may have no storage. */
function rememberedUrls(): string {
  try {
    return window.localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function rememberUrls(urls: string): void {
  try {
    if (urls === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, urls);
  } catch {
    // Without storage, the page remembers nothing.
  }
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

/** Reads the reference from the fragment, now and when it changes. */
function useFragment(onReference: (reference: string) => void): void {
  useEffect(() => {
    const readFragment = () => {
      const reference = fragment();
      if (reference !== '') onReference(reference);
    };
    readFragment();
    window.addEventListener('hashchange', readFragment);
    return () => window.removeEventListener('hashchange', readFragment);
  }, []);
}

function initialSource(): ChainSource {
  const urls = rememberedUrls();
  return { kind: urls === '' ? 'public' : 'own', urls, registries: '', blockHash: '' };
}

function announcement(stage: Stage): string {
  if (stage === 'input') return '';
  if (stage === 'checking') return 'Checking…';
  const { verdict, publisher, pageText } = stage;
  const { title, aside, summary } = headlineOf(verdict, publisher, pageText !== undefined);
  return [title, aside, summary].filter((words) => words !== undefined).join('. ');
}

/** Whether a domain could still vouch for the authority. */
const canCheckDomain = ({ verdict, providers, publisher }: Checked) =>
  verdict.attestation !== undefined && providers.length > 0 && publisher?.outcome !== 'vouches';

interface ProblemProps {
  readonly problem: InputInvalidError | undefined;
  onChoice(reference: string): void;
}

/** Shows an error and references to choose from. Always rendered, so that screen readers announce its content. */
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

const introduction =
  'Enter a text and its attestation. This page reads the blockchain, not the publisher’s website, and shows whether the text was changed, corrected, or revoked.';

function Reader() {
  const [input, setInput] = useState(emptyInput);
  const [source, setSource] = useState(initialSource);
  const [remember, setRemember] = useState(source.urls !== '');
  const { stage, problem, start, back, addPublisher } = useCheck();

  const takeFiles = async (files: Iterable<File>) => {
    try {
      const read = await readFiles(files);
      setInput((previous) => withFiles(previous, read));
      back();
    } catch (error) {
      if (!(error instanceof InputInvalidError)) throw error;
      back(error);
    }
  };
  const takeText = (text: InputFile) => setInput((previous) => withFiles(previous, [text]));
  const takeReference = (reference: string) => {
    setInput({ ...emptyInput, reference });
    back(checkReference(reference));
  };
  useDroppedFiles(takeFiles);
  useFragment(takeReference);

  const submit = (event: Event) => {
    event.preventDefault();
    if (source.kind === 'own') rememberUrls(remember ? source.urls.trim() : '');
    start(input, source);
  };
  return (
    <PageLayout
      title="Is this the attested text?"
      introduction={typeof stage === 'object' ? undefined : introduction}
      footer="Your texts and files do not leave this page. The page is a single file: save it, and it works from your disk, even if the publisher and this website are gone."
    >
      <p class="visually-hidden" role="status">
        {announcement(stage)}
      </p>
      {typeof stage === 'object' ? (
        <VerdictView {...stage}>
          <p class="actions screen-only">
            <button type="button" onClick={() => back()}>
              Change the input
            </button>
            <button type="button" onClick={() => start(input, source)}>
              Check again
            </button>
            <button type="button" onClick={() => window.print()}>
              Print
            </button>
          </p>
          <PageText
            input={input}
            onText={(text) => {
              takeText(text);
              start(withFiles(input, [text]), source);
            }}
          />
          {canCheckDomain(stage) && (
            <DomainForm
              authorityAddress={stage.verdict.reference.authorityAddress}
              hint={stage.domainHint}
              request={(domain) => checkDomain(stage.verdict, domain, stage.providers)}
              onFinding={(finding) => addPublisher(stage, finding)}
            />
          )}
        </VerdictView>
      ) : (
        <form onSubmit={submit} aria-busy={stage === 'checking'}>
          <fieldset disabled={stage === 'checking'}>
            <InputFields input={input} onInput={setInput} onFiles={takeFiles} onText={takeText} />
            <section class="card">
              <SourceField {...{ source, remember }} onSource={setSource} onRemember={setRemember} />
            </section>
          </fieldset>
          <Problem
            problem={problem}
            onChoice={(reference) => {
              setInput({ ...input, reference });
              back();
            }}
          />
          <p class="actions">
            {stage === 'checking' ? (
              // With equal keys, one button could become the other during a click, and restart the check.
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
    </PageLayout>
  );
}

renderPage(<Reader />);
