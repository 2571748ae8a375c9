import { failStep } from '../domain/steps/fail.ts';
import { plainStep } from './step/plain-step.ts';
import { failStepSchema } from './step/step-input.ts';

/** Handler of the state `Fail` of attest.asl.json. */
export const handler = plainStep((event) => failStepSchema.parse(event), failStep);
