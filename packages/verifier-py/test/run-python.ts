import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { checkout } from '../../../local/checkout.ts';

/** The folder of the Python package. */
export const pythonFolder = `${checkout}/packages/verifier-py/src`;

export interface PythonOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Lets Python find the verifier's modules, and write no compiled files. */
const env = { ...process.env, PYTHONPATH: pythonFolder, PYTHONDONTWRITEBYTECODE: '1' };

/** A process of compute.py, which ends with its worker. The files of a worker share one, because a start takes longer than most answers. */
class PythonProcess {
  readonly #child = spawn('python3', [`${checkout}/packages/verifier-py/test/compute.py`], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]();

  async call(calls: readonly (readonly [name: string, argument: string])[]): Promise<unknown[]> {
    this.#child.stdin.write(`${JSON.stringify(calls)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) {
      python = undefined;
      throw new Error('compute.py has ended; its error is above');
    }
    return JSON.parse(value);
  }
}

let python: PythonProcess | undefined;

/** Returns the result of a function in compute.py for each argument; null if the function rejects it. */
export async function compute(name: string, args: readonly string[]): Promise<unknown[]> {
  python ??= new PythonProcess();
  return python.call(args.map((argument) => [name, argument]));
}

/** Runs the verifier's command in the shared process. */
export async function runCommand(args: readonly string[]): Promise<PythonOutput> {
  const [output] = await compute('command', [JSON.stringify(args)]);
  return output as PythonOutput;
}

/** The value, or null if `compute` throws. */
export function orNull<Value>(compute: () => Value): Value | null {
  try {
    return compute();
  } catch {
    return null;
  }
}

/** Runs python3 in a new process. */
export function runPython(args: readonly string[]): Promise<PythonOutput> {
  return new Promise((resolve, reject) => {
    execFile('python3', args, { env }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error);
    });
  });
}
