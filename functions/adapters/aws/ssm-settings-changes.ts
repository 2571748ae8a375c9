import { GetParameterCommand, ParameterNotFound, type SSMClient } from '@aws-sdk/client-ssm';
import { noChanges, type SettingsChanges, settingsChangesSchema } from '../../domain/settings-changes.ts';

export class SettingsChangesInvalidError extends Error {
  override readonly name = 'SettingsChangesInvalidError';
  readonly version: number;

  constructor(parameterName: string, version: number, options: ErrorOptions) {
    super(
      `the SSM parameter ${parameterName} contains no changes that this version can read: run \`settings\` of the version ` +
        'that wrote it, or discard its changes: `settings set --replace-unreadable`',
      options,
    );
    this.version = version;
  }
}

/** Changes of the settings, with the version of their parameter; 0 without a parameter. */
export interface StoredChanges {
  readonly version: number;
  readonly changes: SettingsChanges;
}

/** Reads the changes; there are none without the parameter. @throws SettingsChangesInvalidError, and SSM's errors */
export async function readSettingsChanges(ssm: SSMClient, name: string): Promise<StoredChanges> {
  try {
    const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: name }));
    const { Version: version = 0, Value: text = '' } = parameter ?? {};
    return { version, changes: parse(name, version, text) };
  } catch (error) {
    if (error instanceof ParameterNotFound) return { version: 0, changes: noChanges };
    throw error;
  }
}

function parse(name: string, version: number, text: string): SettingsChanges {
  try {
    return settingsChangesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SettingsChangesInvalidError(name, version, { cause });
  }
}
