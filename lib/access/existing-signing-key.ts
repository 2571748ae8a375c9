import { ArnFormat, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { denials, type KeyThatSigns, permission } from './signing-key.ts';

interface ExistingSigningKeyProps {
  readonly keyArn: string;
  readonly emulator: boolean;
}

/**
 * Signing key of a stack that is gone, or a replica in another Region. The stack cannot change its policy, so it writes the one that
 * lets its roles sign into an SSM parameter, from which an administrator of the key takes it.
 */
export class ExistingSigningKey extends Construct implements KeyThatSigns {
  readonly keyId: string;
  readonly keyArn: string;
  readonly #signers: IRole[] = [];
  readonly #policy: PolicyDocument;

  constructor(scope: Construct, id: string, { keyArn, emulator }: ExistingSigningKeyProps) {
    super(scope, id);
    const stack = Stack.of(this);
    this.keyArn = keyArn;
    this.keyId = stack.splitArn(keyArn, ArnFormat.SLASH_RESOURCE_NAME).resourceName ?? keyArn;
    const administration = new PolicyStatement({
      actions: ['kms:*'],
      principals: [new AccountRootPrincipal()],
      resources: ['*'],
    });
    this.#policy = new PolicyDocument({ statements: [administration, ...denials(this.#signers, emulator)] });
    new StringParameter(this, 'Policy', {
      parameterName: `/${stack.stackName}/signing-key-policy`,
      description:
        'Policy of the existing signing key, which its administrator gives it: aws kms put-key-policy',
      stringValue: stack.toJsonString(this.#policy),
    });
  }

  letSign(role: IRole): void {
    this.#signers.push(role);
    this.#policy.addStatements(permission(role));
  }
}
