import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/**
 * Signing key of the stack: authorities delegate to it, or to a forwarder whose first operator it is. It is retained,
 * because without it every organisation of the former kind has to delegate again.
 */
export class SigningKey extends Key {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Signs the transactions of Imprimatur; its address is a delegate, or an operator of one',
      keySpec: KeySpec.ECC_SECG_P256K1,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN,
      alias: `${Stack.of(scope).stackName}/signing`,
    });
  }
}

/**
 * Builds the statement that allows actions on the keys which `admin signer rotate` makes. The stack does not know them;
 * they are known by their aliases. https://docs.aws.amazon.com/kms/latest/developerguide/alias-authorization.html
 */
export function rotatedKeyStatement(scope: Construct, actions: string[]): PolicyStatement {
  const stack = Stack.of(scope);
  const arnFormat = ArnFormat.SLASH_RESOURCE_NAME;
  return new PolicyStatement({
    actions,
    resources: [stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*', arnFormat })],
    conditions: {
      'ForAnyValue:StringLike': { 'kms:ResourceAliases': `alias/imprimatur/${stack.stackName}/signer-*` },
    },
  });
}
