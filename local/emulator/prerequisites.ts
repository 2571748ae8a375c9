import { PlainError } from '../terminal/plain-error.ts';
import { findAnvil } from './anvil.ts';
import { findPython, type PythonRange } from './find-python.ts';
import { requireJava } from './require-java.ts';

/** Programs that an emulator needs on this machine. */
export interface Needs {
  readonly python?: PythonRange;
  readonly java?: boolean;
}

/** Returns the reason why this machine lacks programs, in one line; `undefined` if it has all of them. */
export function missingPrograms(needs: Needs & { readonly chain: boolean }): string | undefined {
  try {
    findPrerequisites(needs);
    return undefined;
  } catch (error) {
    if (error instanceof PlainError) return error.message.replaceAll('\n', ' ');
    throw error;
  }
}

/**
 * Finds the programs for the emulator and the chain that this machine starts.
 * @throws PlainError that lists all missing programs
 */
export function findPrerequisites(
  needs: Needs & { readonly chain: boolean },
  find: { python: (range: PythonRange) => string; java: () => void; anvil: () => string } = {
    python: findPython,
    java: requireJava,
    anvil: findAnvil,
  },
) {
  const problems: string[] = [];
  const tryFind = <Result>(search: () => Result): Result | undefined => {
    try {
      return search();
    } catch (error) {
      if (!(error instanceof PlainError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const { python: range } = needs;
  const python = range && tryFind(() => find.python(range));
  if (needs.java) tryFind(find.java);
  const anvil = needs.chain ? tryFind(find.anvil) : undefined;
  if (problems.length > 0) throw new PlainError(problems.join('\n'));
  return { python, anvil };
}
