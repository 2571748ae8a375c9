import { PlainError } from '../terminal/plain-error.ts';
import { findAnvil } from './anvil.ts';
import { findPython } from './find-python.ts';

/**
 * Finds everything that the parts need which are started on this machine.
 * @throws PlainError naming all that is missing, not only the first.
 */
export function findPrerequisites(
  needs: { readonly emulator: boolean; readonly chain: boolean },
  find: { python: () => string; anvil: () => string } = { python: findPython, anvil: findAnvil },
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
  const python = needs.emulator ? found(find.python) : undefined;
  const anvil = needs.chain ? found(find.anvil) : undefined;
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  return { python, anvil };
}
