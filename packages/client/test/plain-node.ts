import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Node on the machine's PATH, which may be older; otherwise this project's. */
export const plainNode: string =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, 'node'))
    .find(existsSync) ?? process.execPath;
