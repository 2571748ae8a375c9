import { revealStep } from '../domain/steps/reveal.ts';
import { tokenStep } from './step.ts';

/** Handler of the state `Reveal` of attest.asl.json. */
export const handler = tokenStep(revealStep);
