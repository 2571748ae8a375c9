import * as z from 'zod';

/** What an execution knows of its attestation: ids alone, so nothing else can reach its history. */
export const attestationKeySchema = z.object({ organizationId: z.uuid(), id: z.uuid() });

export const tokenStepSchema = attestationKeySchema.extend({ taskToken: z.string().min(1) });

export const failStepSchema = attestationKeySchema.extend({ error: z.string(), executionName: z.string() });

export const laneTickSchema = z.object({
  lane: z.string().regex(/^\d+-0x[0-9a-fA-F]{40}$/),
  run: z.int().min(1),
  turn: z.int().min(0),
});
