import { execFile } from 'node:child_process';
import { checkout } from '../../../local/checkout.ts';

/** The folder of the verifier in Python. */
export const pythonFolder = `${checkout}/verifier/python`;

export interface PythonOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What one of the functions in compute.py gives for each argument; null where that is refused. */
export async function computed(name: string, args: readonly string[]): Promise<unknown[]> {
  const input = JSON.stringify(args.map((argument) => [name, argument]));
  const { stdout, stderr } = await runPython([`${checkout}/test/verifier/python/compute.py`], input);
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The value; null where the argument is refused. */
export function orNull<Value>(compute: () => Value): Value | null {
  try {
    return compute();
  } catch {
    return null;
  }
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
