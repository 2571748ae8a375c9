import { ExpectedError } from '../../functions/domain/errors.ts';
import type { Organization } from '../../functions/domain/organization/organization.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';

/** A command line that is wrong in a way its parser cannot see. Nothing was read or changed. */
export class UsageInvalidError extends ExpectedError {}

/** A failed command; the message is one line for the operator. */
export class CommandFailedError extends ExpectedError {}

export class StackFileMissingError extends ExpectedError {
  constructor(path: string) {
    super(`there is no ${path}; npm start writes it`);
  }
}

export class StackFileInvalidError extends ExpectedError {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not what npm start writes; run npm start again`, options);
  }
}

export class StackMissingError extends ExpectedError {
  constructor(stackName: string, where: string) {
    super(`there is no stack ${stackName} ${where}`);
  }
}

export class StackOutdatedError extends ExpectedError {
  constructor(stackName: string, outputs: readonly string[]) {
    super(`the stack ${stackName} has no output ${outputs.join(', ')}; deploy it again`);
  }
}

export class ChainNotOfferedError extends ExpectedError {
  constructor(chainId: number, chains: readonly ChainSettings[]) {
    const offered = chains.map((chain) => `${chain.chainId} (${chain.name})`).join(', ');
    super(`chain ${chainId} is not served; this deployment serves ${offered}`);
  }
}

export class OrganizationUnknownError extends ExpectedError {
  constructor(name: string) {
    super(`no organisation has the name or id ${name}; \`org list\` shows them`);
  }
}

export class OrganizationAmbiguousError extends ExpectedError {
  constructor(name: string, named: readonly Organization[]) {
    const ids = named.map(({ id }) => id).join(', ');
    super(`${named.length} organisations have the name ${name}; name one by its id: ${ids}`);
  }
}

export class RpcUrlsMissingError extends ExpectedError {
  constructor(chainId: number, parameterName: string, options?: ErrorOptions) {
    super(
      `no RPC URL of chain ${chainId} is set; put them one a line into a file and run ` +
        `aws ssm put-parameter --type SecureString --name ${parameterName} --value file://FILE`,
      options,
    );
  }
}

export class ProvidersUnreachableError extends ExpectedError {
  constructor(chainId: number, advice: string, options?: ErrorOptions) {
    super(`no RPC provider of chain ${chainId} answers as that chain; ${advice}`, options);
  }
}

export class RegistryMissingError extends ExpectedError {
  constructor(
    { chainId, registryAddress }: Pick<ChainSettings, 'chainId' | 'registryAddress'>,
    options?: ErrorOptions,
  ) {
    super(
      `no registry answers at ${registryAddress} on chain ${chainId}; check registryAddress in the settings`,
      options,
    );
  }
}

/** A missing attestation. Unlike a publisher's 404, the message says where it was looked for. */
export class AttestationNowhereError extends ExpectedError {
  constructor(id: string) {
    super(`no organisation of this deployment has an attestation with the id ${id}`);
  }
}

/** Authorities delegate to the key itself on this chain: another key would be another delegate. */
export class ForwarderMissingError extends ExpectedError {
  constructor(chainId: number) {
    super(
      `on chain ${chainId} authorities delegate to the key itself, so another key means that each of them delegates ` +
        'again; deploy a DelegateForwarder, make it the first of `delegates` in the settings, let the authorities ' +
        'delegate to it, and rotate then',
    );
  }
}

export class LanePausedError extends ExpectedError {
  constructor(lane: string, reason: string) {
    super(`lane ${lane} is paused (${reason}), and the new key would send at once; \`lane resume\` first`);
  }
}

/** A key that was made and could be neither named nor taken back: custodians may delete none. */
export class SignerKeyLeftError extends ExpectedError {
  constructor(keyId: string, alias: string, options: { readonly cause: unknown }) {
    const reason = options.cause instanceof Error ? options.cause.name : 'for an unknown reason';
    super(
      `the new key could not be given the alias ${alias} (${reason}), nor be deleted; have an administrator run ` +
        `aws kms schedule-key-deletion --key-id ${keyId} --pending-window-in-days 7, then rotate again`,
      options,
    );
  }
}

export class LaneMissingError extends ExpectedError {
  constructor(lane: string, chainId: number) {
    super(
      `there is no lane ${lane}; \`signer list --chain ${chainId}\` shows the signers, each with its lane`,
    );
  }
}

/** A call that was not sent, because its transaction would fail or would cost too much now. */
export class TransactionUnsentError extends ExpectedError {
  constructor(what: string, to: string, reason: string) {
    super(`${what} to ${to} was not sent: ${reason}`);
  }
}

/** RPC URLs that are not stored, for the reason in the message. */
export class ProvidersRefusedError extends ExpectedError {}

export class SettingsChangedMeanwhileError extends ExpectedError {
  constructor() {
    super(
      'another operator changed settings at the same moment: look at `settings show`, and set yours again if they are gone',
    );
  }
}

/** A signed delegation that is not sent, for the reason in the message. */
export class DelegationRefusedError extends ExpectedError {}
