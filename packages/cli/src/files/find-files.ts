import { type Dirent, existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, normalize, resolve, sep } from 'node:path';
import { UsageInvalidError } from '../errors.ts';
import { folderOf, isPattern, patternOf } from './glob.ts';

/** Files that were found. */
export interface FoundFiles {
  /** Paths without repetition, in the order of their characters. */
  readonly paths: readonly string[];
  /** Number of files in folders that are no texts by their names. */
  readonly otherFiles: number;
}

/** What a folder stands for: other files are named by a pattern. */
const textNames = /\.(md|markdown|txt)$/i;

/** Whether the command wrote it: a proof file beside a text, a manifest, or what is beside that while it is written. */
function isOwn(path: string, manifestPath: string): boolean {
  const beside = ['', '.new', '.running'].map((end) => resolve(manifestPath + end));
  return /\.proof\.json$/i.test(path) || beside.includes(resolve(path));
}

/** Whether an argument names more than one text, or may. A file of that very name is a file. */
export function namesSeveral(argument: string): boolean {
  if (argument === '-') return false;
  return existsSync(argument) ? isFolder(argument) : isPattern(argument);
}

/** All files below a folder. Hidden ones and `node_modules` are left out, links to folders not followed. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() || isLinkToFile(entry, path)) yield path;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageInvalidError(`cannot read the folder ${folder}: ${cause.code}`, { cause });
  });
}

function isLinkToFile(entry: Dirent, path: string): boolean {
  return entry.isSymbolicLink() && existsSync(path) && statSync(path).isFile();
}

const slashed = (path: string) => path.replaceAll(sep, '/');

async function matchesOf(glob: string): Promise<string[]> {
  const pattern = patternOf(slashed(normalize(glob)));
  const folder = folderOf(slashed(normalize(glob)));
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  for await (const path of filesBelow(folder)) if (pattern.test(slashed(path))) found.push(path);
  return found;
}

/**
 * Finds the files that arguments name: files, folders with their Markdown and plain text, and patterns for shells that do
 * not expand them. What the command itself wrote is left out.
 *
 * @throws UsageInvalidError for a pattern or folder without a text in it
 */
export async function findFiles(named: readonly string[], manifestPath: string): Promise<FoundFiles> {
  const paths = new Set<string>();
  let otherFiles = 0;
  for (const argument of named) {
    const all = (await filesOf(argument)).filter((path) => !isOwn(path, manifestPath));
    const texts = isFolder(argument) ? all.filter((path) => textNames.test(path)) : all;
    otherFiles += all.length - texts.length;
    for (const path of texts) paths.add(normalize(path));
    // A shell's pattern names what the command wrote, too.
    if (texts.length === 0 && namesSeveral(argument))
      throw new UsageInvalidError(`${argument}: there is no text of that name`);
  }
  return { paths: [...paths].sort(), otherFiles };
}

const isFolder = (argument: string) => existsSync(argument) && statSync(argument).isDirectory();

async function filesOf(argument: string): Promise<string[]> {
  if (argument === '-') throw new UsageInvalidError('standard input is one text: attest it by itself');
  if (!namesSeveral(argument)) return [argument];
  if (!isFolder(argument)) return matchesOf(argument);
  const paths: string[] = [];
  for await (const path of filesBelow(argument)) paths.push(path);
  return paths;
}
