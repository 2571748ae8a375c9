import {
  DescribeParametersCommand,
  GetParameterCommand,
  ParameterType,
  PutParameterCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import {
  readSettingsChanges,
  SettingsChangesInvalidError,
  type StoredChanges,
} from '../../../functions/adapters/aws/ssm-settings-changes.ts';
import { settingsFromEnvironment } from '../../../functions/adapters/environment.ts';
import type { Settings } from '../../../functions/domain/settings.ts';
import {
  applyChanges,
  changesParameter,
  type SettingsChanges,
} from '../../../functions/domain/settings-changes.ts';

export type SettingsStore = ReturnType<typeof ssmSettings>;

export function ssmSettings(ssm: SSMClient, settingsParameter: string, rpcUrlsPath: string) {
  const name = changesParameter(settingsParameter);
  return {
    deployed: async () => {
      const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: settingsParameter }));
      return settingsFromEnvironment({ SETTINGS: parameter?.Value ?? '' });
    },
    /** Changes of operators. @throws SettingsChangesInvalidError */
    changes: () => readSettingsChanges(ssm, name),
    /** Replaces the changes. @returns their version, which is one more each time */
    writeChanges: async (changes: SettingsChanges) => {
      const Value = JSON.stringify(changes);
      const put = new PutParameterCommand({ Name: name, Value, Type: ParameterType.STRING, Overwrite: true });
      return (await ssm.send(put)).Version ?? 0;
    },
    /** Replaces the RPC URLs of a chain, encrypted with the same key as before. */
    writeRpcUrls: (chainId: number, urls: readonly string[]) =>
      writeRpcUrls(ssm, `${rpcUrlsPath}/${chainId}`, urls),
  };
}

/** Reads the settings in force. Ignores unreadable changes, like a new function instance. */
export async function readSettingsInForce({ deployed, changes }: SettingsStore): Promise<Settings> {
  const unlessInvalid = (error: unknown): StoredChanges => {
    if (error instanceof SettingsChangesInvalidError) return { version: 0, changes: { chains: {} } };
    throw error;
  };
  const [settings, stored] = await Promise.all([deployed(), changes().catch(unlessInvalid)]);
  return applyChanges(settings, stored.changes);
}

/** Stores RPC URLs, encrypted with the parameter's earlier key. Without a key, SSM uses the account's default key. */
export async function writeRpcUrls(ssm: SSMClient, name: string, urls: readonly string[]): Promise<void> {
  const filter = { Key: 'Name', Option: 'Equals', Values: [name] };
  const { Parameters: found = [] } = await ssm.send(
    new DescribeParametersCommand({ ParameterFilters: [filter] }),
  );
  const KeyId = found.find(({ Name }) => Name === name)?.KeyId;
  const encryption = { Type: ParameterType.SECURE_STRING, ...(KeyId && { KeyId }) };
  await ssm.send(
    new PutParameterCommand({ Name: name, Value: urls.join('\n'), ...encryption, Overwrite: true }),
  );
}
