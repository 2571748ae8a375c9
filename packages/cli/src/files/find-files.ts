import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, normalize, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { UsageInvalidError } from '../errors.ts';

/** What a folder stands for: other files are named by a pattern. */
const textNames = /\.(md|markdown|txt)$/i;

/** Whether the command wrote it: a proof file beside a text, a manifest, or what is beside that while it is written. */
function isOwn(path: string, manifestPath: string): boolean {
  const beside = ['', '.new', '.running'].map((end) => resolve(manifestPath + end));
  return /\.proof\.json$/i.test(path) || beside.includes(resolve(path));
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isPattern = (text: string) => /[*?[\]{}]/.test(text);

/** Whether an argument names more than one text, or may. A file of that very name is a file. */
export function namesSeveral(argument: string): boolean {
  if (argument === '-') return false;
  return existsSync(argument) ? isFolder(argument) : isPattern(argument);
}

/** All files below a folder. Hidden ones and `node_modules` are left out, links to folders not followed. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageInvalidError(`cannot read the folder ${folder}: ${code}`);
  });
  const found: string[][] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) found.push(await filesBelow(path));
    else if (statSync(path, { throwIfNoEntry: false })?.isFile()) found.push([path]);
  }
  return found.flat();
}

const slashed = (path: string) => normalize(path).replaceAll(sep, '/');

/** The files that a pattern matches, with `/` between names. */
async function matchesOf(glob: string): Promise<string[]> {
  const names = slashed(glob).split('/');
  const folder = names.slice(0, names.findIndex(isPattern)).join('/') || (glob.startsWith('/') ? '/' : '.');
  if (!isFolder(folder)) return [];
  // Parentheses stand for themselves, as in the names of folders.
  const isMatch = picomatch(names.join('/').replaceAll(/[()|]/g, '\\$&'), {
    ...{ noextglob: true, nonegate: true, posix: true },
  });
  return (await filesBelow(folder)).filter((path) => isMatch(slashed(path)));
}

/**
 * Finds the files that arguments name: files, folders with their Markdown and plain text, and patterns for shells that do
 * not expand them. What the command itself wrote is left out.
 * @returns their paths in order, and how many files of folders are no texts by their names
 */
export async function findFiles(named: readonly string[], manifestPath: string) {
  const paths = new Set<string>();
  let otherFiles = 0;
  for (const argument of named) {
    const all = (await filesOf(argument)).filter((path) => !isOwn(path, manifestPath));
    const texts = isFolder(argument) ? all.filter((path) => textNames.test(path)) : all;
    otherFiles += all.length - texts.length;
    for (const path of texts) paths.add(normalize(path));
    // A shell's pattern names what the command wrote, too.
    if (texts.length === 0 && namesSeveral(argument))
      throw new UsageInvalidError(`${argument}: no matching text`);
  }
  return { paths: [...paths].sort(), otherFiles };
}

async function filesOf(argument: string): Promise<string[]> {
  if (argument === '-') throw new UsageInvalidError('stdin cannot be part of an archive');
  if (!namesSeveral(argument)) return [argument];
  return isFolder(argument) ? filesBelow(argument) : matchesOf(argument);
}
