import { PlainError } from '../terminal/plain-error.ts';
import { findAnvil } from './anvil.ts';
import { findJava } from './find-java.ts';
import { findPython, type PythonRange } from './find-python.ts';

/** What an emulator needs on this machine. */
export interface Needs {
  readonly python?: PythonRange;
  readonly java?: boolean;
}

/**
 * Finds everything that the parts need which are started on this machine.
 * @throws PlainError naming all that is missing, not only the first.
 */
export function findPrerequisites(
  needs: Needs & { readonly chain: boolean },
  find: { python: (range: PythonRange) => string; java: () => void; anvil: () => string } = {
    python: findPython,
    java: findJava,
    anvil: findAnvil,
  },
) {
  const problems: string[] = [];
  const found = <Found>(search: () => Found): Found | undefined => {
    try {
      return search();
    } catch (error) {
      if (!(error instanceof PlainError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const { python: range } = needs;
  const python = range && found(() => find.python(range));
  if (needs.java) found(find.java);
  const anvil = needs.chain ? found(find.anvil) : undefined;
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  return { python, anvil };
}
