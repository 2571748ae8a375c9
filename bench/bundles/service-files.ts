import { type FunctionFile, functionAccess } from '../../lib/function-access.ts';

/** Every function of the stack, by its file below functions/. */
export const serviceFiles = Object.keys(functionAccess) as FunctionFile[];
