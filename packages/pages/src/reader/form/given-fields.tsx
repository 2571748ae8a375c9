import type { FileKind } from 'imprimatur-verifier';
import { Field } from '../../shared/parts.tsx';
import type { Given, GivenFile } from '../given/given.ts';
import { FilesField } from './files-field.tsx';
import { PageText } from './page-text.tsx';
import { TextField } from './text-field.tsx';

interface GivenFieldsProps {
  readonly given: Given;
  onGiven(given: Given): void;
  onFiles(files: Iterable<File>): void;
  /** Called with the text that a given page links to. */
  onText(text: GivenFile): void;
}

/** Fields for what is to be checked. */
export function GivenFields({ given, onGiven, onFiles, onText }: GivenFieldsProps) {
  const { pasted, files, reference } = given;
  const takeAs = (kind: FileKind) => {
    const bytes = new TextEncoder().encode(pasted);
    onGiven({ ...given, pasted: '', files: [...files, { name: 'what you pasted', bytes, kind }] });
  };
  return (
    <>
      <section class="card">
        <h2>What do you have?</h2>
        <TextField
          text={pasted}
          onText={(text) => onGiven({ ...given, pasted: text })}
          onReference={(text) => onGiven({ ...given, pasted: '', reference: text })}
          onKind={takeAs}
          onFiles={onFiles}
        />
        <FilesField files={files} onFiles={onFiles} onChange={(all) => onGiven({ ...given, files: all })} />
      </section>
      <PageText given={given} onText={onText} />
      <section class="card">
        <h2>Which attestation?</h2>
        <Field
          id="reference"
          label="Reference"
          value={reference}
          onInput={(text) => onGiven({ ...given, reference: text })}
        >
          A line that begins with <span class="mono">eip155:</span>, from the publisher. Not needed with a
          proof file, a quote proof or a saved page that names it.
        </Field>
      </section>
    </>
  );
}
