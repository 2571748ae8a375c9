import { confirmStep } from '../domain/steps/confirm.ts';
import { attestationKeySchema, plainStep } from './step.ts';

/** Handler of the state `Confirm` of attest.asl.json. */
export const handler = plainStep(attestationKeySchema, confirmStep);
