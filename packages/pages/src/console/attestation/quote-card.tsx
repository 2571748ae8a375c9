import type { QuoteProof } from 'imprimatur-client';
import { type Address, isPublicRegistry, quoteElement } from 'imprimatur-verifier';
import { useState } from 'preact/hooks';
import { CopyField } from '../../shared/copy-field.tsx';
import { ErrorAlert } from '../session/error-alert.tsx';
import { useSession } from '../session/session.ts';
import { useAction } from '../session/use-action.ts';

/** Makes the proof of a passage, which readers check without the text. */
export function QuoteCard({ id }: { readonly id: string }) {
  const { client } = useSession();
  const [passage, setPassage] = useState('');
  const [quote, setQuote] = useState<QuoteProof>();
  const { isBusy, error, run } = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    run(async () => setQuote(await client.quote(id, passage)));
  };
  return (
    <form class="card" aria-labelledby="quote" onSubmit={submit}>
      <h2 id="quote">Quote it</h2>
      <label for="passage">Passage</label>
      <textarea
        id="passage"
        class="short"
        required
        aria-describedby="passage-hint"
        value={passage}
        onInput={(event) => {
          setPassage(event.currentTarget.value);
          setQuote(undefined);
        }}
      />
      <p class="hint" id="passage-hint">
        Exactly as in the text. Write … for an omission. The proof also shows up to 45 characters before and
        after each piece.
      </p>
      <ErrorAlert error={error} />
      <p class="actions">
        <button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Making the proof…' : 'Make the quote proof'}
        </button>
      </p>
      <p role="status" class="hint">
        {quote && 'The proof is ready.'}
      </p>
      {quote && <Quote quote={quote} />}
    </form>
  );
}

function Quote({ quote }: { readonly quote: QuoteProof }) {
  const json = `${JSON.stringify(quote, undefined, 2)}\n`;
  return (
    <>
      <CopyField label="Quote proof" text={json} fileName="quote.json" />
      {isPublicRegistry(quote.chainId, quote.registryAddress as Address) ? (
        <CopyField label="HTML for a page" text={quoteElement(quote).trimEnd()} />
      ) : (
        <p class="hint">
          Publish the file. Readers drop it on the page for readers. There is no HTML for this registry,
          because public tools read quotes only from the public one.
        </p>
      )}
    </>
  );
}
