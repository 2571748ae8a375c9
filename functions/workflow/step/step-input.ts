import * as z from 'zod';

/** Schema of an execution's input: ids alone, so that nothing else can reach its history. */
export const attestationKeySchema = z.object({ organizationId: z.uuid(), id: z.uuid() });

/** Schema of the input of a state that waits with a task token. */
export const tokenStepSchema = attestationKeySchema.extend({ taskToken: z.string().min(1) });

/** Schema of the input of the state `Fail`. */
export const failStepSchema = attestationKeySchema.extend({ error: z.string(), executionName: z.string() });

/** Schema of the input of the state `AdvanceLane`. */
export const laneTickSchema = z.object({
  lane: z.string().regex(/^\d+-0x[0-9a-fA-F]{40}$/),
  run: z.int().min(1),
  turn: z.int().min(0),
  definition: z.string().optional(),
});
