import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import type { FunctionFile } from '../../../lib/access/function-access.ts';
import { bundling } from '../../../lib/service-function.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The stack's bundling options in the form of esbuild; a test checks that the two give the same bytes. */
function esbuildOptions(): BuildOptions {
  const { format, minify, keepNames, mainFields, externalModules } = bundling;
  return {
    bundle: true,
    platform: 'node',
    target: 'node24',
    ...(format !== undefined && { format }),
    ...(minify !== undefined && { minify }),
    ...(keepNames !== undefined && { keepNames }),
    ...(mainFields !== undefined && { mainFields }),
    ...(externalModules !== undefined && { external: externalModules }),
  };
}

export interface Bundle {
  readonly path: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly metafile: Metafile;
}

/** Bundles a function as its deployment does, into a file of the directory. */
export async function bundleFunction(file: FunctionFile, directory: string): Promise<Bundle> {
  const path = `${directory}/${file.replace('/', '-')}.mjs`;
  const { metafile } = await build({
    ...esbuildOptions(),
    absWorkingDir: root,
    entryPoints: [`functions/${file}.ts`],
    outfile: path,
    metafile: true,
    logLevel: 'warning',
  });
  const code = readFileSync(path);
  return { path, bytes: code.length, gzipBytes: gzipSync(code).length, metafile };
}
