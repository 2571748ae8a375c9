import { execFile } from 'node:child_process';
import { checkout } from '../../../local/checkout.ts';

/** The folder of the verifier in Python. */
export const pythonFolder = `${checkout}/verifier/python`;

export interface PythonOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs python3 with the verifier's modules at hand, and leaves no compiled files behind. */
export function runPython(args: readonly string[], input = ''): Promise<PythonOutput> {
  const env = { ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' };
  return new Promise((resolve, reject) => {
    const child = execFile('python3', args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error);
    });
    child.stdin?.end(input);
  });
}
