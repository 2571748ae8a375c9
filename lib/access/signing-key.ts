import { ArnFormat, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AccountRootPrincipal,
  AnyPrincipal,
  Effect,
  type IRole,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

interface SigningKeyProps {
  /** Lets the key be replicated into other Regions. This choice cannot be changed later. */
  readonly multiRegion: boolean;
  /** Whether the key outlives the stack. Otherwise, its deletion is scheduled for thirty days later. */
  readonly retained: boolean;
  readonly emulator: boolean;
}

export interface KeyThatSigns {
  readonly keyId: string;
  readonly keyArn: string;
  /** Lets the role sign with this key, and with other keys that get its policy. */
  letSign(role: IRole): void;
}

/**
 * Signing key of the stack. Authorities delegate to it, or to a forwarder that it operates. If it is lost, authorities that
 * delegate to it have to delegate again.
 *
 * Only its policy decides who signs, whatever identity policies allow, also for root. Key administrators can change the
 * policy, and `KeyWatch` reports it. `admin signer rotate` copies the policy to new keys, so it contains no key ARN.
 */
export class SigningKey extends Key implements KeyThatSigns {
  readonly #signers: IRole[] = [];

  constructor(scope: Construct, id: string, { multiRegion, retained, emulator }: SigningKeyProps) {
    super(scope, id, {
      description: 'Signs the transactions of Imprimatur; its address is a delegate, or an operator of one',
      keySpec: KeySpec.ECC_SECG_P256K1,
      keyUsage: KeyUsage.SIGN_VERIFY,
      multiRegion,
      removalPolicy: retained ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      alias: `${Stack.of(scope).stackName}/signing`,
    });
    for (const denial of denials(this.#signers, emulator)) this.addToResourcePolicy(denial);
  }

  letSign(role: IRole): void {
    this.#signers.push(role);
    this.addToResourcePolicy(permission(role));
  }
}

function permission(role: IRole): PolicyStatement {
  return new PolicyStatement({
    actions: ['kms:GetPublicKey', 'kms:Sign'],
    principals: [role],
    resources: ['*'],
  });
}

/** Denies signing to all other roles, and other ways to sign. The roles are read at synthesis. */
function denials(signers: readonly IRole[], emulator: boolean): PolicyStatement[] {
  const roles = Lazy.list({ produce: () => signers.map((role) => principalArn(role, emulator)) });
  const onlyRoles = denial('OnlyTheseRolesSign', { ArnNotLike: { 'aws:PrincipalArn': roles } });
  // MiniStack does not support the other two conditions.
  if (emulator) return [onlyRoles];
  return [
    onlyRoles,
    denial('OnlyThisAlgorithm', { StringNotEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } }),
    // Without a message type, KMS hashes the message, and the condition has no value.
    denial('OnlyDigests', { StringNotEquals: { 'kms:MessageType': 'DIGEST' } }),
  ];
}

function denial(sid: string, conditions: Record<string, Record<string, unknown>>): PolicyStatement {
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    actions: ['kms:Sign'],
    principals: [new AnyPrincipal()],
    resources: ['*'],
    conditions,
  });
}

/** A session's principal is its role on AWS; MiniStack shows the session. */
function principalArn(role: IRole, emulator: boolean): string {
  if (!emulator) return role.roleArn;
  return Stack.of(role).formatArn({
    service: 'sts',
    region: '',
    resource: 'assumed-role',
    resourceName: `${role.roleName}/*`,
  });
}

/**
 * Signing key of a deleted stack, or a replica in another Region. The stack cannot change the key's policy, so it
 * writes the required policy to an SSM parameter for an administrator of the key.
 */
export class ExistingSigningKey extends Construct implements KeyThatSigns {
  readonly keyId: string;
  readonly keyArn: string;
  readonly #signers: IRole[] = [];
  readonly #policy: PolicyDocument;

  constructor(scope: Construct, id: string, keyArn: string, emulator: boolean) {
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
        'Policy that an administrator has to give the existing signing key: aws kms put-key-policy',
      stringValue: stack.toJsonString(this.#policy),
    });
  }

  letSign(role: IRole): void {
    this.#signers.push(role);
    this.#policy.addStatements(permission(role));
  }
}
