import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { emulators } from '../../lib/emulators.ts';
import { CommandFailedError } from '../terminal/errors.ts';

export const defaultStackName = 'Imprimatur';

const stackFileSchema = z.object({
  emulator: z.enum(emulators),
  endpointUrl: z.url(),
  region: z.string().min(1),
  chainId: z.int(),
  /** The URL for this machine; the emulator's functions may need another address for the same chain. */
  rpcUrl: z.url(),
  stackName: z.string().min(1).default(defaultStackName),
});

export type Target =
  | ({ readonly kind: 'local' } & Readonly<z.output<typeof stackFileSchema>>)
  | { readonly kind: 'cloud'; readonly stackName: string };

export interface TargetOptions {
  readonly stack?: string | undefined;
  readonly stackFile?: string | undefined;
}

const localStackFile = fileURLToPath(new URL('../../.local/stack.json', import.meta.url));

/** Selects the given stack, or the local one if its file exists, or the cloud's default stack. */
export function readTarget({ stack, stackFile }: TargetOptions, defaultFile = localStackFile): Target {
  if (stack !== undefined) return { kind: 'cloud', stackName: stack };
  const path = stackFile ?? defaultFile;
  try {
    return { kind: 'local', ...stackFileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new CommandFailedError(`${path} is not a valid stack file; run npm start to write it again`, {
        cause,
      });
    if (stackFile !== undefined)
      throw new CommandFailedError(`${stackFile} does not exist; run npm start to create it`);
    return { kind: 'cloud', stackName: defaultStackName };
  }
}
