import { revealStep } from '../domain/steps/reveal.ts';
import { tokenStep } from './step.ts';

export const handler = tokenStep(revealStep);
