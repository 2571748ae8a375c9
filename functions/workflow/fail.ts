import { failStep } from '../domain/steps/fail.ts';
import { failStepSchema, plainStep } from './step.ts';

export const handler = plainStep(failStepSchema, failStep);
