import { failStep } from '../domain/steps/fail.ts';
import { plainStep } from './step/plain-step.ts';
import { failStepSchema } from './step/step-input.ts';

/** The state `Fail` of attest.asl.json. */
export const handler = plainStep((event) => failStepSchema.parse(event), failStep);
