import { spawnSync } from 'node:child_process';
import { PlainError } from '../terminal/plain-error.ts';

/** Names of the command of a Python, the most common one first. */
const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/** Script that prints the version of the interpreter, and whether it can make virtual environments. */
const script = `
import sys
try:
    import ensurepip, venv
    able = 1
except ImportError:
    able = 0
print(sys.version_info[0], sys.version_info[1], able)
`;

/** Minor versions of Python 3. */
export interface PythonRange {
  readonly oldest: number;
  readonly newest?: number;
}

/** Runs an interpreter with a script. Returns its output, or `undefined` if it fails. */
export type RunProgram = (command: string, script: string) => string | undefined;

function runProgram(command: string, text: string): string | undefined {
  const result = spawnSync(command, ['-c', text], { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

function describeMissing(versions: readonly { version: string; inRange: boolean }[], range: PythonRange) {
  const { oldest, newest } = range;
  const needed = newest ? `3.${oldest} to 3.${newest}` : `3.${oldest} or later`;
  const name = newest ? `python3.${newest}` : 'python3';
  const debian = `sudo apt install ${name} ${name}-venv (Debian, Ubuntu)`;
  const suited = versions.find((found) => found.inRange);
  if (suited) return `Python ${suited.version} lacks the modules venv and ensurepip. Install them: ${debian}`;
  const found = versions[0] ? `only Python ${versions[0].version} is installed` : 'Python is not installed';
  return `${found}, but the emulator needs ${needed}. Install it: ${debian}, brew install ${newest ? `python@3.${newest}` : 'python'} (macOS), or python.org. Or set AWS_ENDPOINT_URL to a running emulator.`;
}

/**
 * Finds the command of a Python in this range that can make virtual environments.
 * @throws PlainError that states how to install one
 */
export function findPython(range: PythonRange = { oldest: 10 }, run: RunProgram = runProgram): string {
  const { oldest, newest } = range;
  const versions = [];
  for (const name of names) {
    const [major, minor, canInstall] = (run(name, script) ?? '').split(' ').map(Number);
    if (major === undefined || minor === undefined) continue;
    const inRange = major === 3 && minor >= oldest && minor <= (newest ?? minor);
    if (inRange && canInstall === 1) return name;
    versions.push({ version: `${major}.${minor}`, inRange });
  }
  throw new PlainError(describeMissing(versions, range));
}
