import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { StackFileInvalidError, StackFileMissingError } from '../terminal/errors.ts';

export const defaultStackName = 'Imprimatur';

const stackFileSchema = z.object({
  endpointUrl: z.url(),
  region: z.string().min(1),
  chainId: z.int(),
  /** The URL for this machine; the emulator's functions may need another address for the same chain. */
  rpcUrl: z.url(),
  stackName: z.string().min(1).default(defaultStackName),
});

/** The deployment that a command acts on. */
export type Target =
  | ({ readonly kind: 'local' } & Readonly<z.output<typeof stackFileSchema>>)
  | { readonly kind: 'cloud'; readonly stackName: string };

export interface TargetOptions {
  readonly stack?: string | undefined;
  readonly stackFile?: string | undefined;
}

const localStackFile = fileURLToPath(new URL('../../.local/stack.json', import.meta.url));

/**
 * Chooses the target: the named stack in the cloud; without a name, the local stack if its file exists, else the
 * cloud's default stack.
 *
 * @throws StackFileMissingError, StackFileInvalidError
 */
export function readTarget({ stack, stackFile }: TargetOptions, defaultFile = localStackFile): Target {
  if (stack !== undefined) return { kind: 'cloud', stackName: stack };
  const text = readText(stackFile ?? defaultFile);
  if (text !== undefined) return parseTarget(stackFile ?? defaultFile, text);
  if (stackFile !== undefined) throw new StackFileMissingError(stackFile);
  return { kind: 'cloud', stackName: defaultStackName };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StackFileInvalidError(path, { cause });
  }
}

function parseTarget(path: string, text: string): Target {
  try {
    return { kind: 'local', ...stackFileSchema.parse(JSON.parse(text)) };
  } catch (cause) {
    throw new StackFileInvalidError(path, { cause });
  }
}
