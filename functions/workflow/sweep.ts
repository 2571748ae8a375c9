import { composeServices, workflowLimits } from '../adapters/compose-services.ts';
import { sweep } from '../domain/steps/sweep.ts';

const services = composeServices(process.env, workflowLimits);

export async function handler(): Promise<void> {
  await services.refresh();
  await sweep(services);
}
