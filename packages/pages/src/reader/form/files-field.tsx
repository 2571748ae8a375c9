import type { FileKind } from 'imprimatur-verifier';
import { type GivenFile, nouns } from '../given/given.ts';

interface FilesFieldProps {
  readonly files: readonly GivenFile[];
  onFiles(files: Iterable<File>): void;
  onChange(files: readonly GivenFile[]): void;
}

interface FileRowProps {
  readonly file: GivenFile;
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
        aria-label={`${name} is`}
        value={kind}
        onChange={(event) => onKind(event.currentTarget.value as FileKind)}
      >
        {Object.entries(nouns).map(([value, noun]) => (
          <option key={value} value={value}>
            {value === 'text' ? 'the' : 'a'} {noun}
          </option>
        ))}
      </select>
      <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </button>
    </li>
  );
}

/** Files that the reader chose or dropped, and as what each is taken. */
export function FilesField({ files, onFiles, onChange }: FilesFieldProps) {
  const replace = (file: GivenFile, kind: FileKind) =>
    onChange(files.map((one) => (one === file ? { ...one, kind } : one)));
  return (
    <div class="files">
      <label class="button">
        Choose files
        <input
          class="unseen"
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
        Or drop them anywhere on this page: an article, its proof file, a quote proof, a saved web page;
        several at once.
      </p>
      {files.length > 0 && (
        <ul class="given">
          {files.map((file) => (
            <FileRow
              key={file.name}
              file={file}
              onKind={(kind) => replace(file, kind)}
              onRemove={() => onChange(files.filter((one) => one !== file))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
