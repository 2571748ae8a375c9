import { failStep } from '../domain/fail-attestation.ts';
import { plainStep } from './plain-step.ts';
import { failStepSchema } from './step-input.ts';

/** The state `Fail` of attest.asl.json. */
export const handler = plainStep((event) => failStepSchema.parse(event), failStep);
