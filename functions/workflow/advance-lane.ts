import { advance } from '../domain/steps/advance-lane.ts';
import { laneTickSchema, plainStep } from './step.ts';

export const handler = plainStep(laneTickSchema, advance);
