import { confirmStep } from '../domain/steps/confirm.ts';
import { plainStep } from './step/plain-step.ts';
import { attestationKeySchema } from './step/step-input.ts';

/** Handler of the state `Confirm` of attest.asl.json. */
export const handler = plainStep((event) => attestationKeySchema.parse(event), confirmStep);
