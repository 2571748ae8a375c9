import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The machine's own Node, often an older one than this project's; without one, this project's. */
export const plainNode: string =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, 'node'))
    .find(existsSync) ?? process.execPath;
