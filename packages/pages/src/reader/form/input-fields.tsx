import type { FileKind } from 'imprimatur-verifier';
import { ExactTextArea } from '../../shared/exact-text-area.tsx';
import { Field } from '../../shared/form-fields.tsx';
import { type InputFile, kindNames, type ReaderInput } from '../input/input.ts';
import { PageText } from './page-text.tsx';

interface InputFieldsProps {
  readonly input: ReaderInput;
  onInput(input: ReaderInput): void;
  onFiles(files: Iterable<File>): void;
  /** Called with the text that the page links to. */
  onText(text: InputFile): void;
}

export function InputFields({ input, onInput, onFiles, onText }: InputFieldsProps) {
  const { pasted, files, reference } = input;
  const setPastedKind = (kind: FileKind) => {
    const bytes = new TextEncoder().encode(pasted);
    onInput({ ...input, pasted: '', files: [...files, { name: 'pasted text', bytes, kind }] });
  };
  return (
    <>
      <section class="card">
        <h2>What do you want to check?</h2>
        <TextField
          text={pasted}
          onText={(text) => onInput({ ...input, pasted: text })}
          onReference={(text) => onInput({ ...input, pasted: '', reference: text })}
          onKind={setPastedKind}
          onFiles={onFiles}
        />
        <FilesField files={files} onFiles={onFiles} onChange={(all) => onInput({ ...input, files: all })} />
      </section>
      <PageText input={input} onText={onText} />
      <section class="card">
        <h2>Which attestation?</h2>
        <Field
          id="reference"
          label="Reference"
          value={reference}
          onInput={(text) => onInput({ ...input, reference: text })}
        >
          A line from the publisher that starts with <span class="mono">eip155:</span>. You can omit it if you
          add a proof file, a quote proof, or a saved page that contains the reference.
        </Field>
      </section>
    </>
  );
}

interface FilesFieldProps {
  readonly files: readonly InputFile[];
  onFiles(files: Iterable<File>): void;
  onChange(files: readonly InputFile[]): void;
}

interface FileRowProps {
  readonly file: InputFile;
  onKind(kind: FileKind): void;
  onRemove(): void;
}

function FileRow({ file, onKind, onRemove }: FileRowProps) {
  const { name, bytes, kind } = file;
  return (
    <li>
      <span class="name">
        <bdi>{name}</bdi> <span class="hint">{bytes.length.toLocaleString('en')} bytes</span>
      </span>
      <select
        aria-label={`Type of ${name}`}
        value={kind}
        onChange={(event) => onKind(event.currentTarget.value as FileKind)}
      >
        {Object.entries(kindNames).map(([value, noun]) => (
          <option key={value} value={value}>
            {noun}
          </option>
        ))}
      </select>
      <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  );
}

function FilesField({ files, onFiles, onChange }: FilesFieldProps) {
  const replace = (file: InputFile, kind: FileKind) =>
    onChange(files.map((other) => (other === file ? { ...other, kind } : other)));
  return (
    <div class="files">
      <label class="button">
        Choose files
        <input
          class="visually-hidden"
          type="file"
          multiple
          aria-describedby="files-hint"
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <p class="hint" id="files-hint">
        Or drop files anywhere on this page: an article, its proof file, a quote proof, or a saved web page.
        You can add several at once.
      </p>
      {files.length > 0 && (
        <ul class="input-files">
          {files.map((file) => (
            <FileRow
              key={file.name}
              file={file}
              onKind={(kind) => replace(file, kind)}
              onRemove={() => onChange(files.filter((other) => other !== file))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether the text is a reference, pasted into the wrong field. */
const isReference = (text: string) => /^\s*eip155:\S+\s*$/i.test(text);

/** Guesses whether a pasted text is a proof. The reader decides, because a text may look like a proof. */
function guessKind(text: string): FileKind | undefined {
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
  onReference(reference: string): void;
  /** Called when the reader confirms that the pasted text is a proof. */
  onKind(kind: FileKind): void;
  onFiles(files: Iterable<File>): void;
}

function TextField({ text, onText, onReference, onKind, onFiles }: TextFieldProps) {
  const takeText = (entered: string) =>
    isReference(entered) ? onReference(entered.trim()) : onText(entered);
  const guess = guessKind(text);
  return (
    <div>
      <label for="text">Text</label>
      <ExactTextArea id="text" describedBy="text-hint" {...{ text, onFiles }} onText={takeText} />
      <p class="hint" id="text-hint">
        {text.includes('\r')
          ? 'The pasted text has CR in its line endings, like the text that you copied. If you edit it here, its line endings become LF.'
          : 'Every character counts, including spaces and line endings. Text that you type here gets LF line endings. Files are checked unchanged.'}
      </p>
      {guess && (
        <p class="hint">
          This looks like a {kindNames[guess]}.{' '}
          <button type="button" class="quiet" onClick={() => onKind(guess)}>
            Check it as one
          </button>
        </p>
      )}
    </div>
  );
}
