import { PlainError } from '../terminal/plain-error.ts';
import { findAnvil } from './anvil.ts';
import { findPython } from './find-python.ts';

/** The parts that are started on this machine, which decide what is needed. */
export interface Needs {
  readonly emulator: boolean;
  readonly chain: boolean;
}

export interface Prerequisites {
  readonly python: string | undefined;
  readonly anvil: string | undefined;
}

/**
 * Finds everything that is needed.
 * @throws PlainError naming all that is missing, not only the first.
 */
export function findPrerequisites(
  needs: Needs,
  find: { python: () => string; anvil: () => string } = { python: findPython, anvil: findAnvil },
): Prerequisites {
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
