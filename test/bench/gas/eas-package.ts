import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { isHex } from 'viem';
import * as z from 'zod';

/**
 * EAS 1.4.0 as its authors compiled it. It is no dependency: that would bring Hardhat 2 and some 200 packages with it, for
 * two files.
 */
const release = {
  name: '@ethereum-attestation-service/eas-contracts@1.9.0',
  integrity:
    'sha512-L60y1fgKlY3a45xxnPlgRbiGQY8RF/lF+AzF1iVoR7/aEzitS0Nuyyjq8+IXs1sSSU0dl2+yGSmELxVeB6FelA==',
};

/** The package that npm gives is another than the one that was looked at. */
export class PackageChangedError extends Error {
  override readonly name = 'PackageChangedError';
}

const packed = z.tuple([z.object({ filename: z.string(), integrity: z.string() })]);
const artifact = z.object({ bytecode: z.custom<`0x${string}`>((value) => isHex(value)) });

/** Fetches the package by npm. @returns what reads a contract's init code from it. @throws PackageChangedError */
export function fetchEas(parent: string) {
  const directory = `${parent}/eas`;
  mkdirSync(directory, { recursive: true });
  const args = ['pack', '--json', '--prefer-offline', '--loglevel=error', release.name];
  const answer = execFileSync('npm', args, { cwd: directory, encoding: 'utf8' });
  const [{ filename, integrity }] = packed.parse(JSON.parse(answer));
  if (integrity !== release.integrity) throw new PackageChangedError(`${release.name} has changed`);
  execFileSync('tar', ['-xzf', filename, 'package/artifacts'], { cwd: directory });
  return (name: 'EAS' | 'SchemaRegistry') => {
    const path = `${directory}/package/artifacts/contracts/${name}.sol/${name}.json`;
    return artifact.parse(JSON.parse(readFileSync(path, 'utf8'))).bytecode;
  };
}

export type InitCodeOf = ReturnType<typeof fetchEas>;
