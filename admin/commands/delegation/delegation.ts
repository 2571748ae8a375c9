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
import { chainOption, orgOption, parseNonce, readKeyFile } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { namedOrganization } from '../../deployment/organizations.ts';
import { offeredChain } from '../../deployment/served-chain.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';
import { readDelegation } from './read-delegation.ts';
import { submitDelegation } from './submit-delegation.ts';

interface SubmitOptions {
  readonly keyFile: PrivateKeyAccount;
  readonly signature?: string;
  readonly nonce?: number;
}

const submitDescription =
  "Send an authority's signed delegation and pay for it, so that the authority needs no gas. Run again, it sends nothing " +
  'that is in force already, and waits while a transaction of the payer is pending.';

export function delegationCommands(group: Command, act: Act): void {
  group
    .command('status')
    .description(
      "Ask the chain whom an organisation's authority delegates to. Exit code 0 whether active or not: see `active`.",
    )
    .requiredOption(...orgOption)
    .requiredOption(...chainOption)
    .action(act(status));
  group
    .command('submit')
    .description(submitDescription)
    .argument(
      '<file>',
      'what the authority signed: of the page for authorities, or imprimatur delegate --typed-data',
    )
    .requiredOption(
      '--key-file <path>',
      'a file with the private key that pays; any funded key',
      readKeyFile('--key-file'),
    )
    .option('--signature <hex>', 'the signature, where it is not in the file')
    .option(
      '--nonce <nonce>',
      "nonce of the payer's account: that of a pending transaction, to replace it, or the next one",
      parseNonce,
    )
    .action((path: string, options: SubmitOptions) =>
      act(submit)(readSignedDelegation(path, options.signature), options),
    );
}

interface StatusOptions {
  readonly org: string;
  readonly chain: number;
}

async function status(
  deployment: Deployment,
  { org, chain: chainId }: StatusOptions,
): Promise<CommandAnswer> {
  const { id: organizationId, name, authorityAddress } = await namedOrganization(deployment.records, org);
  const settings = await offeredChain(deployment, chainId);
  const delegation = await readDelegation(deployment, settings, authorityAddress);
  const { registryAddress, delegateAddress, expectedDelegateAddress, active } = delegation;
  const advice = active
    ? null
    : `From ${authorityAddress}, call delegate(${expectedDelegateAddress}) on ${registryAddress}, chain ${chainId}.`;
  const fields = {
    organisation: `${name} (${organizationId})`,
    chain: `${chainId} (${settings.name})`,
    registry: registryAddress,
    authority: authorityAddress,
    'delegates to': delegateAddress ?? 'nobody',
    'should be': expectedDelegateAddress,
    delegation: active ? 'active' : 'not active',
  };
  return {
    json: {
      ...{ organizationId, chainId, registryAddress, authorityAddress },
      ...{ delegateAddress, expectedDelegateAddress, active, advice },
    },
    text: [fieldList(fields), ...(advice === null ? [] : [advice])].join('\n'),
  };
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
  { keyFile: payer, nonce }: SubmitOptions,
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
  const delegation = { chainId, registryAddress, authorityAddress, delegateAddress: delegateAddress ?? null };
  return {
    json: { ...delegation, inForce, sent },
    text: `${fieldList(fields)}\n${outcome(inForce, sent)}`,
    ...(inForce ? {} : { exitCode: 3 }),
  };
}

function outcome(inForce: boolean, sent: Hash | null): string {
  if (!inForce) return 'Sent, and not mined yet: the same command looks again.';
  return sent === null ? 'It was in force already.' : 'It is in force.';
}
