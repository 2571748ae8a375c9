import { PlainError } from '../terminal/plain-error.ts';
import { findAnvil } from './anvil.ts';
import { findPython, type PythonRange } from './find-python.ts';

/**
 * Finds everything that the parts need which are started on this machine.
 * @throws PlainError naming all that is missing, not only the first.
 */
export function findPrerequisites(
  needs: { readonly python: PythonRange | undefined; readonly chain: boolean },
  find: { python: (range: PythonRange) => string; anvil: () => string } = {
    python: findPython,
    anvil: findAnvil,
  },
) {
  const problems: string[] = [];
  const found = (search: () => string): string | undefined => {
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
  const anvil = needs.chain ? found(find.anvil) : undefined;
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  return { python, anvil };
}
