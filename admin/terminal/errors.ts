import { ExpectedError } from '../../functions/domain/errors.ts';

/** Wrong usage that the parser of the command line does not detect. The command has changed nothing. */
export class UsageInvalidError extends ExpectedError {}

/** A command failed; the message contains everything that the operator needs to know. */
export class CommandFailedError extends ExpectedError {}

/** Command that stores the RPC URLs of a file in an SSM parameter. */
export const storeUrlsCommand = (parameterName: string): string =>
  `aws ssm put-parameter --overwrite --type SecureString --name ${parameterName} --value file://FILE`;

export class RpcUrlsMissingError extends ExpectedError {
  constructor(chainId: number, parameterName: string, options?: ErrorOptions) {
    super(
      `chain ${chainId} has no RPC URLs; write them to a file, one per line, and run ` +
        storeUrlsCommand(parameterName),
      options,
    );
  }
}

export class AttestationNotFoundError extends ExpectedError {
  constructor(id: string) {
    super(`this deployment has no attestation with the ID ${id}`);
  }
}

/** A call that was not sent. The reason is a revert, a high cost, or the nonce. */
export class TransactionNotSentError extends ExpectedError {
  constructor(call: string, to: string, reason: string) {
    super(`${call} to ${to} was not sent: ${reason}`);
  }
}
