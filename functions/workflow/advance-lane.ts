import { advance } from '../domain/steps/advance-lane.ts';
import { plainStep } from './step/plain-step.ts';
import { laneTickSchema } from './step/step-input.ts';

/** Handler of the state `AdvanceLane` of lane.asl.json. */
export const handler = plainStep((event) => laneTickSchema.parse(event), advance);
