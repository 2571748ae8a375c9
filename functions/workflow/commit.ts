import { commitStep } from '../domain/steps/commit.ts';
import { tokenStep } from './step.ts';

/** Handler of the state `Commit` of attest.asl.json. */
export const handler = tokenStep(commitStep);
