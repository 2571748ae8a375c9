import { GetParameterCommand, ParameterNotFound, type SSMClient } from '@aws-sdk/client-ssm';
import { noChanges, type SettingsChanges, settingsChangesSchema } from '../../domain/settings-changes.ts';

/** The parameter with operators' changes of the settings does not hold such changes. */
class SettingsChangesInvalidError extends Error {
  override readonly name = 'SettingsChangesInvalidError';
}

/** Changes of the settings, with the version of the parameter that has them; 0 while there is none. */
export interface StoredChanges {
  readonly version: number;
  readonly changes: SettingsChanges;
}

/** Reads the changes of the settings. Without the parameter there are none. @throws SettingsChangesInvalidError, and SSM's errors */
export async function readSettingsChanges(ssm: SSMClient, name: string): Promise<StoredChanges> {
  try {
    const { Parameter: parameter } = await ssm.send(new GetParameterCommand({ Name: name }));
    return { version: parameter?.Version ?? 0, changes: parse(name, parameter?.Value ?? '') };
  } catch (error) {
    if (error instanceof ParameterNotFound) return { version: 0, changes: noChanges };
    throw error;
  }
}

function parse(name: string, text: string): SettingsChanges {
  try {
    return settingsChangesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SettingsChangesInvalidError(`the SSM parameter ${name} holds no valid changes`, { cause });
  }
}
