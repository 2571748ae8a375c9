import { confirmStep } from '../domain/confirm-step.ts';
import { plainStep } from './plain-step.ts';
import { attestationKeySchema } from './step-input.ts';

/** The state `Confirm` of attest.asl.json. */
export const handler = plainStep((event) => attestationKeySchema.parse(event), confirmStep);
