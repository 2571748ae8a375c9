import { advance } from '../domain/advance.ts';
import { plainStep } from './plain-step.ts';
import { laneTurnSchema } from './step-input.ts';

/** The state `AdvanceLane` of lane.asl.json. */
export const handler = plainStep((event) => laneTurnSchema.parse(event), advance);
