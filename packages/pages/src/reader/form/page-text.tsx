import { maxPageBytes, type TextLink, textLinksOfPage } from 'imprimatur-verifier';
import { useMemo } from 'preact/hooks';
import type { InputFile, ReaderInput } from '../input/input.ts';
import { fetchText } from '../source/host-requests.ts';
import { useRequest } from './use-request.ts';

interface PageWithoutText {
  readonly page: InputFile;
  readonly links: readonly TextLink[];
}

/** Finds the only page, if its text is missing and the page is not too large. */
function pageWithoutText({ files, pasted }: ReaderInput): PageWithoutText | undefined {
  const [page, ...others] = files.filter(({ kind }) => kind === 'page');
  const hasText = pasted !== '' || files.some(({ kind }) => kind === 'text');
  if (!page || others.length > 0 || hasText || page.bytes.length > maxPageBytes) return undefined;
  return { page, links: textLinksOfPage(new TextDecoder().decode(page.bytes)) };
}

const addTextAdvice = 'Add the text as a file, too: the check needs it.';

function missingReason(links: readonly TextLink[]): string {
  const [link] = links;
  if (!link) return 'does not link to a text';
  if (links.length > 1) return 'links to several texts, so it is unclear which one is attested';
  return `links to its text as ${link.href.slice(0, 200)}, which has no https URL that may be fetched`;
}

interface FetchTextProps {
  readonly url: string;
  onText(text: InputFile): void;
}

function FetchText({ url, onText }: FetchTextProps) {
  const { hostname } = new URL(url);
  const { isLoading, problem, start } = useRequest(() => fetchText(url), onText);
  return (
    <>
      <button type="button" disabled={isLoading} aria-describedby="page-text-hint" onClick={start}>
        {isLoading ? 'Loading…' : `Get the text from ${hostname}`}
      </button>
      <p class="hint" id="page-text-hint">
        {hostname} learns your IP address and that you request <span class="mono">{url}</span>, but nothing
        else. Nothing is sent before you press the button.
      </p>
      <div role="alert">
        {problem && (
          <p class="problem">
            The text {problem}. This does not mean that the text is wrong.{' '}
            <a href={url} target="_blank" rel="noopener noreferrer">
              Open it
            </a>
            , save it, and add the file here.
          </p>
        )}
      </div>
    </>
  );
}

interface PageTextProps {
  readonly input: ReaderInput;
  onText(text: InputFile): void;
}

export function PageText({ input, onText }: PageTextProps) {
  const found = useMemo(() => pageWithoutText(input), [input]);
  if (!found) return null;
  const { page, links } = found;
  const url = links.length === 1 ? links[0]?.url : undefined;
  return (
    <section class="card screen-only">
      <h3>The text of the page</h3>
      <p class="page-text">
        <bdi>{page.name}</bdi>{' '}
        {url ? 'links to its text. The check needs that text.' : `${missingReason(links)}. ${addTextAdvice}`}
      </p>
      {url && <FetchText key={url} url={url} onText={onText} />}
    </section>
  );
}
