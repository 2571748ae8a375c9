import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import {
  type DelegationIntent,
  delegationTypedData,
  parseSignedDelegation,
  type SignedDelegation,
  SignedDelegationInvalidError,
  signedDelegationCall,
} from 'imprimatur-verifier/delegation';
import { type Address, type Hash, type Hex, recoverTypedDataAddress } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Chain } from '../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../functions/domain/errors.ts';
import { type ChainSettings, registryAt } from '../../../functions/domain/settings.ts';
import { chainOption, orgOption, parseNonce, readKeyFile } from '../../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../../deployment/command.ts';
import type { ChainView, TransactionCounts } from '../../deployment/connect-chain.ts';
import { namedOrganization } from '../../deployment/organizations.ts';
import { hasPending, type OperatorCall, pickNonce, signCall } from '../../deployment/send-call.ts';
import { delegateAddresses, servedChain } from '../../deployment/served-chain.ts';
import { CommandFailedError, TransactionNotSentError, UsageInvalidError } from '../../terminal/errors.ts';
import { readDelegation } from './read-delegation.ts';

interface SubmitOptions {
  readonly keyFile: PrivateKeyAccount;
  readonly signature?: string;
  readonly nonce?: number;
}

const submitDescription =
  "Send an authority's signed delegation and pay its gas. Safe to run again: it waits for pending transactions of the payer, " +
  'and sends nothing if the delegation is in force.';

export function delegationCommands(group: Command, toAction: ToAction): void {
  group
    .command('status')
    .description(
      "Show an organization's delegation on a chain. The exit code is 0 even without an active delegation.",
    )
    .requiredOption(...orgOption)
    .requiredOption(...chainOption)
    .action(toAction(status));
  group
    .command('submit')
    .description(submitDescription)
    .argument('<file>', 'signed delegation from the page for authorities or imprimatur delegate --typed-data')
    .requiredOption(
      '--key-file <path>',
      'file with the private key of the account that pays',
      readKeyFile('--key-file'),
    )
    .option('--signature <hex>', 'signature, if it is not in the file')
    .option(
      '--nonce <nonce>',
      "nonce of the payer's transaction, to replace a pending one or to send after it",
      parseNonce,
    )
    .action((path: string, options: SubmitOptions) =>
      toAction(submit)(readSignedDelegation(path, options.signature), options),
    );
}

interface StatusOptions {
  readonly org: string;
  readonly chain: number;
}

async function status(
  deployment: Deployment,
  { org, chain: chainId }: StatusOptions,
): Promise<CommandResult> {
  const { id: organizationId, name, authorityAddress } = await namedOrganization(deployment.records, org);
  const settings = await servedChain(deployment, chainId);
  const delegation = await readDelegation(deployment, settings, authorityAddress);
  const { registryAddress, delegateAddress, expectedDelegateAddress, active } = delegation;
  const advice = active
    ? null
    : `From ${authorityAddress}, call delegate(${expectedDelegateAddress}) on ${registryAddress}, chain ${chainId}.`;
  const fields = {
    organization: `${name} (${organizationId})`,
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
      throw new UsageInvalidError(`${path} is not a signed delegation: ${error.message}`);
    throw new UsageInvalidError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function submit(
  deployment: Deployment,
  signed: SignedDelegation,
  { keyFile: payer, nonce }: SubmitOptions,
): Promise<CommandResult> {
  const { sent, inForce } = await submitDelegation(deployment, signed, payer, nonce);
  const { chainId, registryAddress, authorityAddress, delegateAddress } = signed.intent;
  const fields = {
    chain: chainId,
    registry: registryAddress,
    authority: authorityAddress,
    'delegates to': delegateAddress ?? 'nobody',
    transaction: sent ?? 'none',
  };
  const delegation = { chainId, registryAddress, authorityAddress, delegateAddress: delegateAddress ?? null };
  return {
    json: { ...delegation, inForce, sent },
    text: `${fieldList(fields)}\n${outcomeText(inForce, sent)}`,
    ...(inForce ? {} : { exitCode: 3 }),
  };
}

function outcomeText(inForce: boolean, sent: Hash | null): string {
  if (!inForce)
    return 'The transaction was sent but is not mined yet. Run the same command again to check it.';
  return sent === null ? 'The delegation was already in force.' : 'The delegation is in force.';
}

/** Maximum number of checks for an outcome. They are a block apart, and at least a second. */
const maxPolls = 20;

/**
 * Sends a signed delegation that can still take effect. Without `chosenNonce`, it waits while the payer has a pending
 * transaction, which may be an earlier submission of the same delegation.
 * @returns the hash, or `null` if nothing was sent, and whether the delegation is in force
 * @throws CommandFailedError if the delegation can take no effect, TransactionNotSentError, ChainUnreachableError
 */
export async function submitDelegation(
  deployment: Deployment,
  { intent, signature }: SignedDelegation,
  payer: PrivateKeyAccount,
  chosenNonce?: number,
): Promise<{ sent: Hash | null; inForce: boolean }> {
  const settings = await servedChain(deployment, intent.chainId);
  await requireServed(deployment, settings, intent);
  const view = await deployment.chain(settings);
  const nextBlock = () => deployment.wait(Math.max(1, settings.blockTimeSeconds));
  const chain = (await deployment.services()).chain(intent.chainId);
  let counts = await view.transactionCounts(payer.address);
  for (let poll = 0; poll < maxPolls; poll++) {
    // Read this after the count: a submission that was mined before the count is in force now.
    if (await isInForce(view, intent)) return { sent: null, inForce: true };
    await requireTime(chain, intent);
    if (chosenNonce !== undefined || !hasPending(counts)) break;
    await nextBlock();
    counts = await view.transactionCounts(payer.address);
  }
  const call = { ...signedDelegationCall(intent, signature), name: "the delegation's transaction" };
  const nonce = pickNonce({ ...counts, address: payer.address }, call, chosenNonce, advice(counts));
  const { hash, raw } = await sign(chain, payer, { intent, signature }, call, nonce);
  const refusal = await awaitRefusal(chain.send(raw));
  for (let poll = 0; poll < maxPolls; poll++) {
    await nextBlock();
    if (await isInForce(view, intent)) return { sent: hash, inForce: true };
  }
  if (refusal) throw refusal;
  return { sent: hash, inForce: false };
}

/** Describes what to do about pending transactions of the payer. One of them may be an earlier submission. */
function advice({ mined, known }: TransactionCounts): string {
  const isOnly = known - mined === 1;
  return (
    ', because this delegation may already have been sent; to send it anyway, pass ' +
    `--nonce ${mined} to replace ${isOnly ? 'that transaction' : 'the first of them'}, ` +
    `or --nonce ${known} to send after ${isOnly ? 'it' : 'all of them'}`
  );
}

async function requireServed(
  deployment: Deployment,
  settings: ChainSettings,
  { chainId, registryAddress, delegateAddress }: DelegationIntent,
): Promise<void> {
  const registry = registryAt(settings, registryAddress);
  if (!registry)
    throw new CommandFailedError(
      `the delegation is for registry ${registryAddress}, which this deployment does not use on chain ${chainId}`,
    );
  const delegates = delegateAddresses(registry, await deployment.signerAddress());
  if (delegateAddress && !delegates.includes(delegateAddress))
    throw new CommandFailedError(
      `the delegation names ${delegateAddress}, but the delegate of this deployment is ${delegates.join(' or ')}`,
    );
}

/** Whether the registry has the delegation. @throws CommandFailedError if it can no longer take effect */
async function isInForce(view: ChainView, intent: DelegationIntent): Promise<boolean> {
  const { registryAddress, authorityAddress, nonce, delegateAddress } = intent;
  const current = await view.nonceOf(registryAddress, authorityAddress);
  if (current === null)
    throw new CommandFailedError(
      `registry ${registryAddress} does not support signed delegations; the authority has to send a transaction`,
    );
  if (current === nonce) return false;
  const delegate = await view.delegateOf(registryAddress, authorityAddress);
  if (current > nonce && delegate === (delegateAddress ?? null)) return true;
  throw new CommandFailedError(
    `the delegation was signed with nonce ${nonce}, but the authority's nonce is ${current}, ` +
      `and the authority delegates to ${delegate ?? 'nobody'}; the authority has to sign again`,
  );
}

async function requireTime(chain: Chain, { deadline }: DelegationIntent): Promise<void> {
  const { timestamp } = await chain.head();
  if (timestamp <= deadline) return;
  throw new CommandFailedError(
    `the delegation expired at ${new Date(deadline * 1000).toISOString()}; the authority has to sign again`,
  );
}

async function sign(
  chain: Chain,
  payer: PrivateKeyAccount,
  { intent, signature }: SignedDelegation,
  call: OperatorCall,
  nonce: number,
) {
  try {
    return await signCall(chain, payer, call, nonce);
  } catch (error) {
    if (!(error instanceof TransactionNotSentError && error.message.endsWith('signature invalid')))
      throw error;
    const signer = await signerOf(intent, signature);
    throw new CommandFailedError(
      `the signature is not by ${intent.authorityAddress}${signer ? ` but by ${signer}` : ''}`,
    );
  }
}

async function signerOf(intent: DelegationIntent, signature: Hex): Promise<Address | undefined> {
  const { types, primaryType, domain, message } = delegationTypedData(intent);
  return recoverTypedDataAddress({
    ...{ types, primaryType, signature },
    domain: { ...domain, chainId: BigInt(domain.chainId) },
    message: { ...message, nonce: BigInt(message.nonce), deadline: BigInt(message.deadline) },
  }).catch(() => undefined);
}

/** A node may reject a known transaction, or the same call with another fee. The registry decides. */
async function awaitRefusal(sending: Promise<void>): Promise<ChainUnreachableError | undefined> {
  try {
    await sending;
    return undefined;
  } catch (error) {
    if (error instanceof ChainUnreachableError) return error;
    throw error;
  }
}
