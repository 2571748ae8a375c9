import { dirname } from 'node:path';
import { filesIn, sourceFolders } from './source-folders.ts';

/** Number of code files that a folder may hold. A test does not count where the file it tests is in the same folder. */
const maxFiles = 15;

/** Folders that may hold more, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'test/faults': 'one file per fault of docs/faults.md, found by its number',
  'test/service/conformance': 'one file per section of docs/service-interface.md, found by its number',
};

const code = /\.(tsx?|js|cjs|mjs|sol)$/;

const files = new Set(filesIn([...sourceFolders, 'test']).filter((path) => code.test(path)));
const counted = [...files].filter(
  (path) => !(path.endsWith('.test.ts') && files.has(path.replace('.test.ts', '.ts'))),
);
const folders = Map.groupBy(counted, (path) => dirname(path));
let over = false;
for (const [folder, { length }] of folders) {
  if (length <= maxFiles || folder in exceptions) continue;
  over = true;
  console.log(
    `${folder} holds ${length} files of code and may hold ${maxFiles}: give what belongs together a folder`,
  );
}
for (const [folder, reason] of Object.entries(exceptions)) {
  const length = folders.get(folder)?.length ?? 0;
  // An exception that is no longer needed would hide the next one.
  over ||= length <= maxFiles;
  console.log(
    length > maxFiles
      ? `${folder}: ${length} files, more than ${maxFiles}: ${reason}`
      : `${folder} holds only ${length} files: take it off the exceptions in tools/folder-budget.ts`,
  );
}
console.log(`folders: ${folders.size}, with at most ${maxFiles} files of code each`);
process.exitCode = over ? 1 : 0;
