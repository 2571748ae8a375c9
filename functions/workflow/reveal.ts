import { revealStep } from '../domain/reveal-step.ts';
import { tokenStep } from './token-step.ts';

/** The state `Reveal` of attest.asl.json. */
export const handler = tokenStep(revealStep);
