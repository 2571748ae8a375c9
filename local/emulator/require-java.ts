import { spawnSync } from 'node:child_process';
import { PlainError } from '../terminal/plain-error.ts';

/** Runs a command with `-version`. @returns its output, or `undefined` if it fails */
function readVersion(command: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, ['-version'], { encoding: 'utf8' });
  return status === 0 ? stdout + stderr : undefined;
}

/** Checks for Java and Maven, which DynamoDB Local needs. @throws PlainError that names what to install */
export function requireJava(read: (command: string) => string | undefined = readVersion): void {
  const [, java] = /version "(\d+)/.exec(read('java') ?? '') ?? [];
  const problems = [
    ...(java === undefined ? ['Java is not installed'] : []),
    ...(Number(java) < 17 ? [`only Java ${java} is installed`] : []),
    ...(read('mvn') === undefined ? ['Maven is not installed'] : []),
  ];
  if (problems.length === 0) return;
  throw new PlainError(
    `${problems.join(', and ')}, but DynamoDB Local needs Java 17 or later and Maven. Install them: sudo apt install openjdk-17-jre-headless maven (Debian, Ubuntu), or brew install openjdk maven (macOS).`,
  );
}
