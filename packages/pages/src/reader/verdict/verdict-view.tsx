import type { ProviderReport, PublisherFinding, RecordedRequest } from 'imprimatur-verifier';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatChain } from '../../shared/chain-format.ts';
import { formatTime } from '../../shared/date-format.ts';
import type { AnyVerdict } from '../source/chain-source.ts';
import type { Checked } from '../use-check.ts';
import { Facts } from './facts.tsx';
import { headlineOf, type Sign, signs } from './headline.ts';

/** Decorative, because the title has the same meaning. */
function SignIcon({ sign }: { readonly sign: Sign }) {
  return (
    <svg class="sign" viewBox="0 0 24 24" width="56" height="56" aria-hidden="true" focusable="false">
      <path d={signs[sign]} />
    </svg>
  );
}

function Quoted({ verdict }: { readonly verdict: AnyVerdict }) {
  if (!('quote' in verdict)) return null;
  const pieces = verdict.quote.segments.map(({ text }) => text);
  return (
    <blockquote>
      {pieces.map((piece, index) => (
        <bdi key={index}>{index === 0 ? piece : ` […] ${piece}`}</bdi>
      ))}
    </blockquote>
  );
}

function condition(verdict: AnyVerdict): string[] {
  const { block, reference } = verdict;
  if (!('notChecked' in verdict) || !block) return [];
  return [
    `This is valid only if ${block.hash} is block ${block.number} of ${formatChain(reference.chainId)}.`,
  ];
}

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
      <p>The proof file does not prove these parts:</p>
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

function CheckedText({ text }: { readonly text: string }) {
  return (
    <section class="card">
      <details>
        <summary>Show the checked text</summary>
        <pre dir="auto">{text}</pre>
      </details>
    </section>
  );
}

interface VerdictViewProps extends Checked {
  readonly children: ComponentChildren;
}

export function VerdictView({
  verdict,
  input,
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
          Input: {input}. Checked on {formatTime(checkedAt)}.
        </p>
        <Facts verdict={verdict} publisher={publisher} />
      </section>
      <section class="card">
        <h3>Contacted hosts</h3>
        <Providers verdict={verdict} publisher={publisher} textHosts={textHosts} />
      </section>
      <NotChecked verdict={verdict} />
    </article>
  );
}

const providerHint =
  'A provider learned which attestation you checked, and your IP address. It did not learn the text, which has not left this page.';

function Provider({ report: { name, says, answered, block } }: { readonly report: ProviderReport }) {
  return (
    <li>
      <strong>{name}</strong> {answered && block ? `answered, at block ${block.number}` : says}
    </li>
  );
}

function RequestRow({ asked: { provider, method, params, answered } }: { readonly asked: RecordedRequest }) {
  return (
    <li>
      {provider}: <span class="mono">{`${method} ${JSON.stringify(params)}`}</span>
      {!answered && ' (no answer)'}
    </li>
  );
}

interface ProvidersProps {
  readonly verdict: AnyVerdict;
  readonly publisher: PublisherFinding | undefined;
  readonly textHosts: readonly string[];
}

/** Lists the contacted hosts, their answers and the requests. */
function Providers({ verdict: { providers, asked }, publisher, textHosts }: ProvidersProps) {
  if (providers.length + textHosts.length === 0) return <p>None. Your input has not left this page.</p>;
  const answers = providers.filter(({ answered }) => answered);
  return (
    <>
      <ul class="providers">
        {providers.map((report) => (
          <Provider key={report.name} report={report} />
        ))}
        {textHosts.map((host) => (
          <li key={host}>
            <strong>{host}</strong> returned the text that the page links to
          </li>
        ))}
        {publisher && (
          <li>
            <strong>{publisher.domain}</strong> was asked only for its authorities file
          </li>
        )}
      </ul>
      {providers.length > 0 && <p class="hint">{providerHint}</p>}
      {answers.length > 0 && (
        <details>
          <summary>Answers of the providers</summary>
          <ul class="asked">
            {answers.map(({ name, says }) => (
              <li key={name}>
                {name} {says}.
              </li>
            ))}
          </ul>
        </details>
      )}
      {providers.length > 0 && (
        <details>
          <summary>Requests to the providers: {asked.length}</summary>
          <ol class="asked">
            {asked.map((request, index) => (
              <RequestRow key={index} asked={request} />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}
