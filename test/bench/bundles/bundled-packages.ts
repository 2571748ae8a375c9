import type { Metafile } from 'esbuild';

/** Package of a bundled file; our own files count as one package. */
function packageOf(path: string): string {
  const [, inside] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return inside ?? '(this repository)';
}

/** Lists the bytes of each package in the bundle, largest first. */
export function bundledPackages({ outputs }: Pick<Metafile, 'outputs'>): [name: string, bytes: number][] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = packageOf(path);
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...bytes].sort(([, a], [, b]) => b - a);
}
