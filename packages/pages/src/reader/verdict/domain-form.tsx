import type { PublisherFinding } from 'imprimatur-verifier';
import { useState } from 'preact/hooks';
import { shortAddress } from '../../shared/chain-format.ts';
import { useRequest } from '../form/use-request.ts';

interface DomainFormProps {
  readonly authorityAddress: string;
  /** Domain in the proof file, which proves nothing. */
  readonly hint: string;
  request(domain: string): Promise<PublisherFinding>;
  onFinding(finding: PublisherFinding): void;
}

/** Lets the reader name a domain and asks it whether it vouches for the address. */
export function DomainForm({ authorityAddress, hint, request, onFinding }: DomainFormProps) {
  const [domain, setDomain] = useState(hint);
  const { isLoading, problem, start } = useRequest(() => request(domain), onFinding);
  const submit = (event: Event) => {
    event.preventDefault();
    start();
  };
  return (
    <form class="card screen-only" onSubmit={submit}>
      <h3>Who is {shortAddress(authorityAddress)}?</h3>
      <label for="domain">Domain of the publisher</label>
      <div class="in-line">
        <input
          id="domain"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby="domain-hint"
          value={domain}
          onInput={(event) => setDomain(event.currentTarget.value)}
        />
        <button type="submit" disabled={isLoading}>
          {isLoading ? 'Checking…' : 'Check the domain'}
        </button>
      </div>
      <p class="hint" id="domain-hint">
        {hint !== '' && 'The proof file names this domain, which proves nothing yet. '}A domain can vouch for
        an address that signed for it. The domain learns your IP address and that you asked, but not which
        text you check.
      </p>
      <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
    </form>
  );
}
