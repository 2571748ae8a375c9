import { commitStep } from '../domain/steps/commit.ts';
import { tokenStep } from './step.ts';

export const handler = tokenStep(commitStep);
