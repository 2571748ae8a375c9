import { useMemo, useRef } from 'preact/hooks';

/** Converts line endings to LF, as a text area does. */
const withLf = (text: string) => text.replace(/\r\n?/g, '\n');

/** Restores the copied line endings if the text area still has exactly the pasted text. */
function restoreCr(shown: string, copied: string | undefined): string {
  return copied !== undefined && withLf(copied) === shown ? copied : shown;
}

interface ExactTextAreaProps {
  readonly id: string;
  /** IDs of the hint and the error. */
  readonly describedBy: string;
  readonly text: string;
  readonly isInvalid?: boolean;
  onText(text: string): void;
  /** Called with pasted files. */
  onFiles(files: Iterable<File>): void;
}

/** Text area that remembers the copied text, because the element itself would drop CR. */
export function ExactTextArea({ id, describedBy, text, isInvalid, onText, onFiles }: ExactTextAreaProps) {
  const shown = useMemo(() => withLf(text), [text]);
  const copied = useRef<string>(undefined);
  const takePasted = (event: ClipboardEvent) => {
    copied.current = event.clipboardData?.getData('text/plain');
    const files = event.clipboardData?.files;
    if (files && files.length > 0) {
      event.preventDefault();
      onFiles(files);
    }
  };
  return (
    <textarea
      id={id}
      aria-describedby={describedBy}
      aria-invalid={isInvalid || undefined}
      spellcheck={false}
      value={shown}
      onPaste={takePasted}
      onInput={(event) => onText(restoreCr(event.currentTarget.value, copied.current))}
    />
  );
}
