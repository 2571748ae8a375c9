import { hiddenCharacters } from 'imprimatur-verifier';
import { useMemo } from 'preact/hooks';
import { Fact } from '../../shared/fact.tsx';
import { bytesOf, cidOf } from './content.ts';
import { describeLines, markText } from './marked-text.ts';

/** Shows exactly what is attested: the size, the CID, and the text with signs for what is invisible. */
export function ExactView({ text }: { readonly text: string }) {
  const { size, contentCid, hidden, marked } = useMemo(() => {
    const bytes = bytesOf(text);
    return {
      ...{ size: bytes.length, contentCid: cidOf(bytes) },
      ...{ hidden: hiddenCharacters(text), marked: markText(text) },
    };
  }, [text]);
  return (
    <section class="exact" aria-labelledby="exact">
      <h3 id="exact">This exact text will be attested</h3>
      <dl class="facts">
        <Fact label="Size">{size.toLocaleString('en')} bytes of UTF-8</Fact>
        <Fact label="Lines">{describeLines(text)}</Fact>
        <Fact label="CID" isMono>
          {contentCid}
        </Fact>
        {hidden.length > 0 && (
          <Fact label="Invisible">
            {hidden
              .map(({ codePoint, count, line }) => `${codePoint} (${count}, first in line ${line})`)
              .join(', ')}
            . They stay in the text, but copies of it may lose them.
          </Fact>
        )}
      </dl>
      <label for="marked">Every character</label>
      <textarea id="marked" class="mono" readOnly aria-describedby="marked-hint" value={marked} />
      <p class="hint" id="marked-hint">
        ¶ and [CR] are line endings, · is a space at the end of a line, [U+…] is an invisible character.
      </p>
    </section>
  );
}
