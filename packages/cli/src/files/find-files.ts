import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, normalize, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { UsageInvalidError } from '../errors.ts';

/** Names of the files that the command takes from a folder. Other files need a pattern or their own argument. */
const textNames = /\.(md|markdown|txt)$/i;

/** Whether the command wrote the file: a proof file, a manifest, or a temporary file of the manifest. */
function isWrittenByCommand(path: string, manifestPath: string): boolean {
  const manifestPaths = ['', '.new', '.running'].map((end) => resolve(manifestPath + end));
  return /\.proof\.json$/i.test(path) || manifestPaths.includes(resolve(path));
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isPattern = (text: string) => /[*?[\]{}]/.test(text);

/** Whether an argument may name several texts. An existing file with exactly this name is one text. */
export function namesSeveral(argument: string): boolean {
  if (argument === '-') return false;
  return existsSync(argument) ? isFolder(argument) : isPattern(argument);
}

/** All files below a folder, without hidden ones and `node_modules`. Links to folders are not followed. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageInvalidError(`cannot read the folder ${folder}: ${code}`);
  });
  const found: string[][] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) found.push(await listFiles(path));
    else if (statSync(path, { throwIfNoEntry: false })?.isFile()) found.push([path]);
  }
  return found.flat();
}

const withSlashes = (path: string) => normalize(path).replaceAll(sep, '/');

async function findMatches(glob: string): Promise<string[]> {
  const names = withSlashes(glob).split('/');
  const folder = names.slice(0, names.findIndex(isPattern)).join('/') || (glob.startsWith('/') ? '/' : '.');
  if (!isFolder(folder)) return [];
  // Parentheses are literal, because folder names contain them.
  const isMatch = picomatch(names.join('/').replaceAll(/[()|]/g, '\\$&'), {
    ...{ noextglob: true, nonegate: true, posix: true },
  });
  return (await listFiles(folder)).filter((path) => isMatch(withSlashes(path)));
}

/**
 * Finds files by arguments: files, folders (their Markdown and plain text), and patterns for shells that do not expand
 * them. Skips files that the command wrote.
 * @returns sorted paths, and the number of other files in the folders
 */
export async function findFiles(names: readonly string[], manifestPath: string) {
  const paths = new Set<string>();
  let otherFiles = 0;
  for (const argument of names) {
    const all = (await filesOf(argument)).filter((path) => !isWrittenByCommand(path, manifestPath));
    const texts = isFolder(argument) ? all.filter((path) => textNames.test(path)) : all;
    otherFiles += all.length - texts.length;
    for (const path of texts) paths.add(normalize(path));
    // A file that the command wrote is no error, because the shell may have expanded a pattern.
    if (texts.length === 0 && namesSeveral(argument))
      throw new UsageInvalidError(`${argument}: no matching text`);
  }
  return { paths: [...paths].sort(), otherFiles };
}

async function filesOf(argument: string): Promise<string[]> {
  if (argument === '-') throw new UsageInvalidError('stdin cannot be part of an archive');
  if (!namesSeveral(argument)) return [argument];
  return isFolder(argument) ? listFiles(argument) : findMatches(argument);
}
