import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { AnyVerdict } from '../asking/check.ts';
import type { Checked } from '../use-check.ts';
import { Facts } from './facts.tsx';
import { headlineOf } from './headline.ts';
import { Providers } from './providers.tsx';
import { SignIcon } from './sign-icon.tsx';
import { chainWords, momentWords } from './words.ts';

function Quoted({ verdict }: { readonly verdict: AnyVerdict }) {
  if (!('quote' in verdict)) return null;
  const pieces = verdict.quote.segments.map(({ text }) => text);
  return (
    <blockquote>
      {pieces.map((piece, place) => (
        <bdi key={place}>{place === 0 ? piece : ` […] ${piece}`}</bdi>
      ))}
    </blockquote>
  );
}

/** What remains to be believed of a verdict that nobody was asked for. */
function condition(verdict: AnyVerdict): string[] {
  const { block, reference } = verdict;
  if (!('notChecked' in verdict) || !block) return [];
  return [`This holds if ${block.hash} is block ${block.number} of ${chainWords(reference.chainId)}.`];
}

/** What to know beside the outcome. */
function Notices({ verdict, publisher }: Pick<Checked, 'verdict' | 'publisher'>) {
  const notices = [...condition(verdict), ...verdict.notices, ...(publisher?.notices ?? [])];
  if (notices.length === 0) return null;
  return (
    <ul class="notices">
      {notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

function NotChecked({ verdict }: { readonly verdict: AnyVerdict }) {
  if (!('notChecked' in verdict) || verdict.notChecked.length === 0) return null;
  return (
    <section class="card">
      <h3>Not checked</h3>
      <p>Nothing in the proof file proves these parts of it:</p>
      <ul>
        {verdict.notChecked.map((name) => (
          <li key={name} class="mono">
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the verdict of a page is of. */
function CheckedText({ text }: { readonly text: string }) {
  return (
    <section class="card">
      <details>
        <summary>The text, as it was checked</summary>
        <pre dir="auto">{text}</pre>
      </details>
    </section>
  );
}

interface VerdictViewProps extends Checked {
  /** What the reader can do now. */
  readonly children: ComponentChildren;
}

/** The verdict, and beneath it what was checked. */
export function VerdictView({
  verdict,
  given,
  checkedAt,
  publisher,
  pageText,
  textHosts,
  children,
}: VerdictViewProps) {
  const { tone, sign, title, aside, summary } = headlineOf(verdict, publisher, pageText !== undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article aria-labelledby="verdict">
      <section class={`card verdict ${tone}`}>
        <SignIcon sign={sign} />
        <div>
          <h2 id="verdict" tabIndex={-1} ref={heading}>
            {title}
            {aside && <span class="aside"> {aside}</span>}
          </h2>
          <p>{summary}</p>
          <Quoted verdict={verdict} />
          <Notices verdict={verdict} publisher={publisher} />
        </div>
      </section>
      {children}
      {pageText !== undefined && <CheckedText text={pageText} />}
      <section class="card">
        <h3>{verdict.attestation ? 'What was checked' : 'What the reference claims'}</h3>
        <p class="hint">
          Given: {given}. Checked on {momentWords(checkedAt)}.
        </p>
        <Facts verdict={verdict} publisher={publisher} />
      </section>
      <section class="card">
        <h3>Who was asked</h3>
        <Providers verdict={verdict} publisher={publisher} textHosts={textHosts} />
      </section>
      <NotChecked verdict={verdict} />
    </article>
  );
}
