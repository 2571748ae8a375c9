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
  /** Makes the key one that can be replicated into other Regions; it cannot be changed once the key exists. */
  readonly multiRegion: boolean;
  /** Whether it outlives the stack; otherwise its deletion is scheduled with the stack's, after thirty days. */
  readonly retained: boolean;
  readonly emulator: boolean;
}

/** A key with which functions sign. */
export interface KeyThatSigns {
  readonly keyId: string;
  readonly keyArn: string;
  /** Lets the role sign, with this key and with those that are given its policy. */
  letSign(role: IRole): void;
}

/**
 * Signing key of the stack: authorities delegate to it, or to a forwarder whose first operator it is. Without it every
 * organization of the former kind has to delegate again.
 *
 * Its policy decides who signs, whatever identity policies allow: the roles that were let, and nobody else, root
 * included. Who administers keys may change the policy, and is seen doing so (`KeyWatch`). `admin signer rotate` gives
 * the same policy to the keys that it makes, so it names no key.
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

/** Lets a role sign. */
function permission(role: IRole): PolicyStatement {
  return new PolicyStatement({
    actions: ['kms:GetPublicKey', 'kms:Sign'],
    principals: [role],
    resources: ['*'],
  });
}

/** Denies signing to all but those roles, which are read when the template is made, and any other way to sign. */
function denials(signers: readonly IRole[], emulator: boolean): PolicyStatement[] {
  const roles = Lazy.list({ produce: () => signers.map((role) => principalArn(role, emulator)) });
  const onlyRoles = denial('OnlyTheseRolesSign', { ArnNotLike: { 'aws:PrincipalArn': roles } });
  // Emulators give policies neither of the two.
  if (emulator) return [onlyRoles];
  return [
    onlyRoles,
    denial('OnlyThisAlgorithm', { StringNotEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } }),
    // KMS takes a request that does not say it for one with a message to hash, and gives policies no value then.
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

/** A session's principal is its role on AWS; emulators show the session. */
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
 * Signing key of a stack that is gone, or a replica in another Region. The stack cannot change its policy, so it writes the one that
 * lets its roles sign into an SSM parameter, from which an administrator of the key takes it.
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
        'Policy of the existing signing key, which its administrator gives it: aws kms put-key-policy',
      stringValue: stack.toJsonString(this.#policy),
    });
  }

  letSign(role: IRole): void {
    this.#signers.push(role);
    this.#policy.addStatements(permission(role));
  }
}
