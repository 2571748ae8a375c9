import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import {
  parseSignedDelegation,
  type SignedDelegation,
  SignedDelegationInvalidError,
} from 'imprimatur-verifier/delegation';
import type { Hash } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { parseNonce } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { readKeyFile } from '../../deployment/key-file.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';
import { submitDelegation } from './submit-delegation.ts';

interface Options {
  readonly keyFile: string;
  readonly signature?: string;
  readonly nonce?: number;
}

const description =
  "Send an authority's signed delegation and pay for it, so that the authority needs no gas. Run again, it sends nothing " +
  'that is in force already, and waits while a transaction of the payer is pending.';

export function delegationSubmit(group: Command, act: Act): void {
  group
    .command('submit')
    .description(description)
    .argument(
      '<file>',
      'what the authority signed: of the page for authorities, or imprimatur delegate --typed-data',
    )
    .requiredOption('--key-file <path>', 'a file with the private key that pays; any funded key')
    .option('--signature <hex>', 'the signature, where it is not in the file')
    .option(
      '--nonce <nonce>',
      "nonce of the payer's account: that of a pending transaction, to replace it, or the next one",
      parseNonce,
    )
    .action((path: string, { keyFile, signature, nonce }: Options) => {
      const signed = readSignedDelegation(path, signature);
      const payer = readKeyFile('--key-file', keyFile);
      return act((deployment) => submit(deployment, signed, payer, nonce));
    });
}

function readSignedDelegation(path: string, signature: string | undefined): SignedDelegation {
  try {
    return parseSignedDelegation(readFileSync(path, 'utf8'), signature);
  } catch (error) {
    if (error instanceof SignedDelegationInvalidError)
      throw new UsageInvalidError(`${path} holds no signed delegation: ${error.message}`);
    throw new UsageInvalidError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function submit(
  deployment: Deployment,
  signed: SignedDelegation,
  payer: PrivateKeyAccount,
  nonce: number | undefined,
): Promise<CommandAnswer> {
  const { sent, inForce } = await submitDelegation(deployment, signed, payer, nonce);
  const { chainId, registryAddress, authorityAddress, delegateAddress } = signed.intent;
  const fields = {
    chain: chainId,
    registry: registryAddress,
    authority: authorityAddress,
    'delegates to': delegateAddress ?? 'nobody',
    transaction: sent ?? 'none was sent',
  };
  return {
    json: {
      chainId,
      registryAddress,
      authorityAddress,
      delegateAddress: delegateAddress ?? null,
      inForce,
      sent,
    },
    text: `${fieldList(fields)}\n${outcome(inForce, sent)}`,
    ...(inForce ? {} : { exitCode: 3 }),
  };
}

function outcome(inForce: boolean, sent: Hash | null): string {
  if (!inForce) return 'Sent, and not mined yet: the same command looks again.';
  return sent === null ? 'It was in force already.' : 'It is in force.';
}
