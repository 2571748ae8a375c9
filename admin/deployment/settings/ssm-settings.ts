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
import { changesParameter, settingsInForce } from '../../../functions/domain/settings-changes.ts';
import type { ChangeableSettings } from '../deployment.ts';

/** SSM of a deployment, and the names of its parameters there. */
interface Place {
  readonly ssm: SSMClient;
  readonly settingsParameter: string;
  readonly rpcUrlsPath: string;
}

/** Makes `ChangeableSettings` on SSM. */
export function ssmSettings({ ssm, settingsParameter, rpcUrlsPath }: Place): ChangeableSettings {
  const name = changesParameter(settingsParameter);
  return {
    deployed: async () => {
      const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: settingsParameter }));
      return settingsFromEnvironment({ SETTINGS: parameter?.Value ?? '' });
    },
    changes: () => readSettingsChanges(ssm, name),
    writeChanges: async (changes) => {
      const Value = JSON.stringify(changes);
      const put = new PutParameterCommand({ Name: name, Value, Type: ParameterType.STRING, Overwrite: true });
      return (await ssm.send(put)).Version ?? 0;
    },
    writeRpcUrls: (chainId, urls) => writeRpcUrls(ssm, `${rpcUrlsPath}/${chainId}`, urls),
  };
}

/** The settings in force. Changes that cannot be parsed are left out, as by a function that has just been started. */
export async function readSettingsInForce({ deployed, changes }: ChangeableSettings): Promise<Settings> {
  const unlessInvalid = (error: unknown): StoredChanges => {
    if (error instanceof SettingsChangesInvalidError) return { version: 0, changes: { chains: {} } };
    throw error;
  };
  const [settings, stored] = await Promise.all([deployed(), changes().catch(unlessInvalid)]);
  return settingsInForce(settings, stored.changes);
}

/** Without its key, a parameter that is written again would be encrypted with the account's default key. */
async function writeRpcUrls(ssm: SSMClient, name: string, urls: readonly string[]): Promise<void> {
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
