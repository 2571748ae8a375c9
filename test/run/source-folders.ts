import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Folders of the sources, tests excluded. */
export const sourceFolders = [
  'bin',
  'lib',
  'functions',
  'contracts',
  'admin',
  'packages',
  'integrations',
  'local',
  'tools',
] as const;

/** Lists the files of the folders that git tracks or would track, as paths from the checkout. */
export function filesIn(folders: readonly string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...folders];
  return execFileSync('git', args)
    .toString()
    .split('\n')
    .filter((path) => path !== '' && existsSync(path));
}
