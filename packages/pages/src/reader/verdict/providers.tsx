import type { AskedQuestion, ProviderReport, PublisherFinding } from 'imprimatur-verifier';
import type { AnyVerdict } from '../asking/check.ts';

const learned =
  'Whom you ask learns which attestation you look at, and from which IP address; not the text, which has not left this page.';

function Provider({ report: { name, says, answered, block } }: { readonly report: ProviderReport }) {
  return (
    <li>
      <strong>{name}</strong> {answered && block ? `answered, at block ${block.number}` : says}
    </li>
  );
}

function Question({ asked: { provider, method, params, answered } }: { readonly asked: AskedQuestion }) {
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

/** Who was asked, what each said, and what that told them. */
export function Providers({ verdict: { providers, asked }, publisher, textHosts }: ProvidersProps) {
  if (providers.length + textHosts.length === 0) return <p>Nobody. What you gave has not left this page.</p>;
  const answers = providers.filter(({ answered }) => answered);
  return (
    <>
      <ul class="providers">
        {providers.map((report) => (
          <Provider key={report.name} report={report} />
        ))}
        {textHosts.map((host) => (
          <li key={host}>
            <strong>{host}</strong> for the text that the page links to
          </li>
        ))}
        {publisher && (
          <li>
            <strong>{publisher.domain}</strong> for its file of authorities, and for nothing else
          </li>
        )}
      </ul>
      <p class="hint">{learned}</p>
      {answers.length > 0 && (
        <details>
          <summary>What they said</summary>
          <ul class="asked">
            {answers.map(({ name, says }) => (
              <li key={name}>
                {name} {says}.
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>
          What they were asked: {asked.length} {asked.length === 1 ? 'question' : 'questions'}
        </summary>
        <ol class="asked">
          {asked.map((one, place) => (
            <Question key={place} asked={one} />
          ))}
        </ol>
      </details>
    </>
  );
}
