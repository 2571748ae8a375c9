import { commitStep } from '../domain/commit-step.ts';
import { tokenStep } from './token-step.ts';

/** The state `Commit` of attest.asl.json. */
export const handler = tokenStep(commitStep);
