import type { PublisherFinding } from 'imprimatur-verifier';
import { useState } from 'preact/hooks';
import { GivenInvalidError } from '../given/given.ts';
import { unexpected } from '../use-check.ts';
import { shortAddress } from './words.ts';

interface SignerQuestionProps {
  readonly authorityAddress: string;
  /** The domain that a proof file names; a hint, which shows nothing. */
  readonly hint: string;
  ask(domain: string): Promise<PublisherFinding>;
  onFinding(finding: PublisherFinding): void;
}

/** Asks the reader whose address he thinks it is, and that domain whether it is so. Nobody is asked before. */
export function SignerQuestion({ authorityAddress, hint, ask, onFinding }: SignerQuestionProps) {
  const [domain, setDomain] = useState(hint);
  const [state, setState] = useState<'asking' | string>('');
  const submit = async (event: Event) => {
    event.preventDefault();
    setState('asking');
    try {
      onFinding(await ask(domain));
      setState('');
    } catch (error) {
      const { message } = error instanceof GivenInvalidError ? error : unexpected(error);
      setState(message);
    }
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
        <button type="submit" disabled={state === 'asking'}>
          {state === 'asking' ? 'Asking…' : 'Ask it'}
        </button>
      </div>
      <p class="hint" id="domain-hint">
        {hint !== '' && 'The proof file names this domain, which shows nothing by itself. '}A domain can vouch
        for an address that has signed for it. The domain learns your IP address, and that you ask; not about
        which text.
      </p>
      <div role="alert">{state !== '' && state !== 'asking' && <p class="problem">{state}</p>}</div>
    </form>
  );
}
