import type { Attestation } from 'imprimatur-client';
import { useState } from 'preact/hooks';
import { ErrorAlert } from '../session/error-alert.tsx';
import { ConsoleError } from '../session/explain-error.ts';
import { useAction } from '../session/use-action.ts';
import { cidOfText, readText } from '../text/content.ts';
import { Difference } from '../text/difference.tsx';

interface ReplacedTextProps {
  readonly attestation: Attestation;
  /** The new text. */
  readonly text: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** Shows what a correction changes. The service never returns a text, so the person may have to add the old one. */
export function ReplacedText({ attestation, text, texts }: ReplacedTextProps) {
  const [chosen, setChosen] = useState<string>();
  const file = useAction();
  const before = chosen ?? texts.get(attestation.contentCid);
  const take = (old: File | undefined) =>
    file.run(async () => {
      if (!old) return;
      const oldText = await readText(old);
      if (cidOfText(oldText) !== attestation.contentCid)
        throw new ConsoleError(`${old.name} is not the text that you correct: its CID differs.`);
      setChosen(oldText);
    });
  return (
    <section aria-label="What the correction changes">
      <h3>What the correction changes</h3>
      {attestation.childAttestationId !== null && (
        <p class="outcome warn">
          This text has a correction already, and yours replaces it. To correct the newest text,{' '}
          <a href={`#${attestation.childAttestationId}`}>open the correction</a>.
        </p>
      )}
      {attestation.status !== 'confirmed' && (
        <p class="outcome warn">The older text is not confirmed. You can link it after it is confirmed.</p>
      )}
      {before !== undefined && text !== '' && <Difference before={before} after={text} />}
      {before === undefined && (
        <>
          <p class="hint" id="old-hint">
            To see the difference, choose the file with the older text. This page does not upload it.
          </p>
          <label class="button">
            Choose the older text
            <input
              class="visually-hidden"
              type="file"
              aria-describedby="old-hint"
              onChange={(event) => take(event.currentTarget.files?.[0])}
            />
          </label>
        </>
      )}
      <ErrorAlert error={file.error} />
    </section>
  );
}
