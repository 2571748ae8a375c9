import type { TextLink } from 'imprimatur-verifier';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { askForText } from '../asking/ask-for-text.ts';
import { type Given, type GivenFile, GivenInvalidError } from '../given/given.ts';
import { pageWithoutText } from '../given/page-text.ts';
import { unexpected } from '../use-check.ts';

const dropIt = 'Choose or drop the text here too: it is what is checked.';

/** Why no host can be asked. */
function whyNot(links: readonly TextLink[]): string {
  const [link] = links;
  if (!link) return 'links to no text';
  if (links.length > 1) return 'links to several texts, which leaves open which one is attested';
  return `links to its text, ${link.href.slice(0, 200)}, and does not say at which https address that is`;
}

interface AskProps {
  readonly url: string;
  onText(text: GivenFile): void;
}

/** Asks the host, when the reader wants that. */
function Ask({ url, onText }: AskProps) {
  const [state, setState] = useState<'idle' | 'asking' | GivenInvalidError>('idle');
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const { hostname } = new URL(url);
  const ask = async () => {
    setState('asking');
    try {
      const text = await askForText(url);
      // The reader may have gone on, and given something else.
      if (isShown.current) onText(text);
    } catch (error) {
      setState(error instanceof GivenInvalidError ? error : unexpected(error));
    }
  };
  return (
    <>
      <button
        type="button"
        disabled={state === 'asking'}
        aria-describedby="page-text-hint"
        onClick={() => void ask()}
      >
        {state === 'asking' ? 'Asking…' : `Get the text from ${hostname}`}
      </button>
      <p class="hint" id="page-text-hint">
        {hostname} learns your IP address, and that you ask for <span class="mono">{url}</span>; nothing else
        is sent, and nobody is asked before you press.
      </p>
      <div role="alert">
        {state instanceof GivenInvalidError && (
          <p class="problem">
            The text {state.message}. That says nothing against it.{' '}
            <a href={url} target="_blank" rel="noopener noreferrer">
              Open it
            </a>
            , save it, and choose or drop the file here.
          </p>
        )}
      </div>
    </>
  );
}

interface PageTextProps {
  readonly given: Given;
  onText(text: GivenFile): void;
}

/** Offers to get the text that a given page links to; nothing where there is no page, or a text is given. */
export function PageText({ given, onText }: PageTextProps) {
  const found = useMemo(() => pageWithoutText(given), [given]);
  if (!found) return null;
  const { page, links } = found;
  const url = links.length === 1 ? links[0]?.url : undefined;
  return (
    <section class="card screen-only">
      <h3>The text of the page</h3>
      <p class="page-text">
        <bdi>{page.name}</bdi>{' '}
        {url ? 'links to its text, which is what is checked.' : `${whyNot(links)}. ${dropIt}`}
      </p>
      {url && <Ask key={url} url={url} onText={onText} />}
    </section>
  );
}
