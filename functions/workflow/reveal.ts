import { revealStep } from '../domain/steps/reveal.ts';
import { tokenStep } from './step/token-step.ts';

/** The state `Reveal` of attest.asl.json. */
export const handler = tokenStep(revealStep);
