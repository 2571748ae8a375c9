import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'preact/hooks';
import { markText } from './marked-text.ts';

/** After this time, the texts count as too different to compare. */
const timeoutMs = 300;
/** Characters of an unchanged part that are shown before and after a change. */
const context = 200;

const shorten = (text: string) =>
  text.length <= 2 * context ? text : `${text.slice(0, context)} […] ${text.slice(-context)}`;

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
}

/** Shows the words that a correction removes and adds. */
export function Difference({ before, after }: DifferenceProps) {
  const parts = useMemo(() => diffWordsWithSpace(before, after, { timeout: timeoutMs }), [before, after]);
  if (!parts) return <p>The texts are too different to compare word by word.</p>;
  if (!parts.some(({ added, removed }) => added || removed)) return <p>Both texts are the same.</p>;
  return (
    <p class="difference">
      {parts.map(({ value, added, removed }, index) => {
        if (removed) return <del key={index}>{markText(value)}</del>;
        return added ? <ins key={index}>{markText(value)}</ins> : shorten(value);
      })}
    </p>
  );
}
