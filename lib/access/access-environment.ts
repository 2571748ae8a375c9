import type { Environment } from '../../functions/domain/settings.ts';
import { tableNames } from '../storage/tables.ts';
import type { Resources } from './access-statements.ts';
import type { FunctionAccess } from './function-access.ts';

/** Name of the service, a dimension of every metric of its log lines. */
export const metricsService = 'imprimatur';

/** Namespace of the metrics of a stack's log lines: two stacks of one account must not count each other's lines. */
export function metricsNamespace(stackName: string): string {
  return `Imprimatur/${stackName}`;
}

/** Returns the environment variables from which the log knows where its metrics belong. */
export function metricsEnvironment(stackName: string) {
  return {
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(stackName),
    POWERTOOLS_SERVICE_NAME: metricsService,
  } satisfies Partial<Environment>;
}

/** Returns the environment variables that go with what a function declares; SETTINGS goes to every function. */
export function accessEnvironment(access: FunctionAccess, resources: Resources): Partial<Environment> {
  const { tables, signingKey, rpcUrls, settingsChanges, machines } = resources;
  // Requests of an organisation are counted beside its attestations.
  const used = tableNames.filter((name) => access[name] || (name === 'attestations' && access.organizations));
  return {
    ...Object.fromEntries(used.map((name) => [`${name.toUpperCase()}_TABLE`, tables[name].tableName])),
    ...(access.starts?.includes('attest') && { ATTEST_STATE_MACHINE_ARN: machines.attest.startArn }),
    ...(access.starts?.includes('lane') && { LANE_STATE_MACHINE_ARN: machines.lane.startArn }),
    ...(access.signingKey && { SIGNING_KEY_ID: signingKey.keyId }),
    ...(access.chains && {
      RPC_URLS_PATH: rpcUrls.path,
      SETTINGS_CHANGES: settingsChanges.parameterName,
    }),
  };
}
