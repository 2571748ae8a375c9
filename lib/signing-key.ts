import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** The key that authorities delegate to. Without it every organisation has to delegate again, so it is kept. */
export class SigningKey extends Key {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Signs the transactions of Imprimatur; its address is the delegate of every authority',
      keySpec: KeySpec.ECC_SECG_P256K1,
      keyUsage: KeyUsage.SIGN_VERIFY,
      removalPolicy: RemovalPolicy.RETAIN,
      alias: `${Stack.of(scope).stackName}/signing`,
    });
  }
}
