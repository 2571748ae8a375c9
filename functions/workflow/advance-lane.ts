import { advance } from '../domain/steps/advance-lane.ts';
import { laneTickSchema, plainStep } from './step.ts';

/** Handler of the state `AdvanceLane` of lane.asl.json. */
export const handler = plainStep(laneTickSchema, advance);
