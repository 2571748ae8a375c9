import { ExpectedError } from '../../functions/domain/errors.ts';

/** A command line that is wrong in a way its parser cannot see. Nothing was read or changed. */
export class UsageInvalidError extends ExpectedError {}

/** A failed command; the message has all that the operator needs. */
export class CommandFailedError extends ExpectedError {}

export class RpcUrlsMissingError extends ExpectedError {
  constructor(chainId: number, parameterName: string, options?: ErrorOptions) {
    super(
      `chain ${chainId} has no RPC URLs; write them to a file, one per line, and run ` +
        `aws ssm put-parameter --type SecureString --name ${parameterName} --value file://FILE`,
      options,
    );
  }
}

export class AttestationNowhereError extends ExpectedError {
  constructor(id: string) {
    super(`this deployment has no attestation with the id ${id}`);
  }
}

/** A call that was not sent, because its transaction would fail or would cost too much now. */
export class TransactionUnsentError extends ExpectedError {
  constructor(what: string, to: string, reason: string) {
    super(`${what} to ${to} was not sent: ${reason}`);
  }
}
