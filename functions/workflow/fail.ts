import { failStep } from '../domain/steps/fail.ts';
import { failStepSchema, plainStep } from './step.ts';

/** Handler of the state `Fail` of attest.asl.json. */
export const handler = plainStep(failStepSchema, failStep);
