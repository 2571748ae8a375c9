import type { FileKind } from 'imprimatur-verifier';
import { useRef } from 'preact/hooks';
import { nouns } from '../given/given.ts';

/** As a text area shows it: it takes LF alone for a line ending. */
const asShown = (text: string) => text.replace(/\r\n?/g, '\n');

/**
 * The text that is meant, of what a text area shows: as it was copied, where all of it was pasted at once and nothing
 * was changed since.
 */
function meantText(shown: string, copied: string | undefined): string {
  return copied !== undefined && asShown(copied) === shown ? copied : shown;
}

/** A reference that was pasted where the text belongs. */
const isReference = (text: string) => /^\s*eip155:\S+\s*$/i.test(text);

/** What a pasted text may be beside a text: the reader is asked, for a text may look like a proof. */
function lookOf(text: string): FileKind | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: object = JSON.parse(text);
    if ('ipfsCid' in value) return 'quote';
    return 'reference' in value && 'attested' in value ? 'proof' : undefined;
  } catch {
    return undefined;
  }
}

interface TextFieldProps {
  readonly text: string;
  onText(text: string): void;
  /** Called with a reference that was pasted in place of a text. */
  onReference(reference: string): void;
  /** Called when the reader says that what he pasted is no text. */
  onKind(kind: FileKind): void;
  onFiles(files: Iterable<File>): void;
}

/** Text area for a pasted text. What was copied is kept as it was: the area itself would drop CR. */
export function TextField({ text, onText, onReference, onKind, onFiles }: TextFieldProps) {
  const copied = useRef<string>(undefined);
  const takePasted = (event: ClipboardEvent) => {
    copied.current = event.clipboardData?.getData('text/plain');
    const files = event.clipboardData?.files;
    if (files && files.length > 0) {
      event.preventDefault();
      onFiles(files);
    }
  };
  const takeText = (shown: string) => {
    const meant = meantText(shown, copied.current);
    if (isReference(meant)) onReference(meant.trim());
    else onText(meant);
  };
  const look = lookOf(text);
  return (
    <div>
      <label for="text">Text</label>
      <textarea
        id="text"
        aria-describedby="text-hint"
        spellcheck={false}
        value={asShown(text)}
        onPaste={takePasted}
        onInput={(event) => takeText(event.currentTarget.value)}
      />
      <p class="hint" id="text-hint">
        {text.includes('\r')
          ? 'Taken as it was copied, with CR in its line endings. If you change it here, they become LF.'
          : 'Every character counts, spaces and line endings too. Line endings of what is typed here are LF; a file is taken as it is.'}
      </p>
      {look && (
        <p class="hint">
          This looks like a {nouns[look]}.{' '}
          <button type="button" class="quiet" onClick={() => onKind(look)}>
            Check it as one
          </button>
        </p>
      )}
    </div>
  );
}
