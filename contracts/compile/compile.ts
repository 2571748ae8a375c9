import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { artifactFiles } from './artifact-files.ts';
import { ContractCompilationError, compileContracts } from './compile-contracts.ts';

const artifactDirectory = new URL('../artifacts/', import.meta.url);

function committed(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, artifactDirectory), 'utf8');
  } catch {
    return undefined;
  }
}

function check(files: Map<string, string>): void {
  const stale = [...files].filter(([name, text]) => committed(name) !== text).map(([name]) => name);
  if (stale.length === 0) return;
  console.error(
    `contracts/artifacts differs from the sources (${stale.join(', ')}): run node contracts/compile/compile.ts`,
  );
  process.exitCode = 1;
}

function write(files: Map<string, string>): void {
  mkdirSync(artifactDirectory, { recursive: true });
  for (const [name, text] of files) writeFileSync(new URL(name, artifactDirectory), text);
}

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const files = artifactFiles(compileContracts());
  if (values.check) check(files);
  else write(files);
} catch (error) {
  if (!(error instanceof ContractCompilationError || error instanceof TypeError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
