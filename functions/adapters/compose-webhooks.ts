import type { Settings } from '../domain/settings.ts';
import type { QueueServices } from '../domain/webhooks/queue-events.ts';
import { functionLog } from './aws/cloudwatch-log.ts';
import { composeRecords } from './compose-records.ts';
import { readEnvironment, settingsFromEnvironment } from './environment.ts';

/** Not in `compose-records.ts`, because the settings schema would add 12 kB to each function that imports that file. */
export function composeWebhooks(
  variables: Readonly<Record<string, string | undefined>>,
): QueueServices & { readonly settings: Settings } {
  return {
    records: composeRecords(variables),
    log: functionLog(),
    now: () => new Date(),
    settings: settingsFromEnvironment(readEnvironment(variables, ['SETTINGS'])),
  };
}
