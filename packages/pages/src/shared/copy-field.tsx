import { useId, useState } from 'preact/hooks';

interface CopyFieldProps {
  readonly label: string;
  /** Context of the label for screen readers. */
  readonly title?: string;
  readonly text: string;
  /** If set, the text can be saved as a file. */
  readonly fileName?: string;
}

const maxRows = 12;
/** Approximate characters per row on a phone. */
const rowCharacters = 60;

const rowsOf = (text: string) =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / rowCharacters)), 0);

export function CopyField({ label, title, text, fileName }: CopyFieldProps) {
  const [note, setNote] = useState('');
  const id = useId();
  const fullLabel = title ? `${title}: ${label}` : label;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setNote('Copied');
    } catch {
      setNote('The browser blocked copying. Select the text and copy it.');
    }
  };
  return (
    <div class="copy">
      <label for={id}>
        {title && <span class="visually-hidden">{title}: </span>}
        {label}
      </label>
      <textarea id={id} class="mono" readOnly value={text} rows={Math.min(maxRows, rowsOf(text))} />
      <div class="actions">
        <button type="button" aria-label={`Copy ${fullLabel}`} onClick={() => void copy()}>
          Copy
        </button>
        {fileName && (
          <button type="button" onClick={() => saveFile(text, fileName)}>
            Save {fileName}
          </button>
        )}
        <span role="status" class="hint">
          {note}
        </span>
      </div>
    </div>
  );
}

/** Saves a JSON text as a file. */
export function saveFile(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
