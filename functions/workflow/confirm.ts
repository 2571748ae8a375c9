import { confirmStep } from '../domain/steps/confirm.ts';
import { attestationKeySchema, plainStep } from './step.ts';

export const handler = plainStep(attestationKeySchema, confirmStep);
