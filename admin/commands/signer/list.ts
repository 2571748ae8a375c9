import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { type Address, formatEther } from 'viem';
import type { Chain } from '../../../functions/domain/chain.ts';
import { laneName } from '../../../functions/domain/lane/lane.ts';
import { type ChainSigner, chainSigners } from '../../../functions/domain/lane/signers.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { chainOption } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { delegateAddresses, forwardersOf, offeredChain } from '../../deployment/served-chain.ts';

export function signerList(group: Command, act: Act): void {
  group
    .command('list', { isDefault: true })
    .description(
      'List the keys that sign and pay on a chain, oldest first, and whom authorities delegate to.',
    )
    .requiredOption(...chainOption)
    .action(act(list));
}

async function list(
  deployment: Deployment,
  { chain: chainId }: { readonly chain: number },
): Promise<CommandAnswer> {
  const settings = await offeredChain(deployment, chainId);
  const [services, own] = await Promise.all([deployment.services(), deployment.signerAddress()]);
  const known = await chainSigners(services, chainId);
  const chain = services.chain(chainId);
  const signers = await Promise.all(known.map((signer) => describe(signer, chain)));
  const delegates = delegateAddresses(settings, own);
  return { json: { chainId, delegates, signers }, text: listText(settings, delegates, signers) };
}

async function describe({ address, keyId, state }: ChainSigner, chain: Chain) {
  const { settings } = chain;
  const balanceWei = await chain.balance(address);
  const operatorOf: Address[] = [];
  for (const forwarder of forwardersOf(settings)) {
    if (await chain.isOperator(forwarder, address)) operatorOf.push(forwarder);
  }
  return {
    address,
    state,
    lane: laneName(settings.chainId, address),
    keyId: keyId ?? null,
    balanceWei,
    operatorOf,
  };
}

type Described = Awaited<ReturnType<typeof describe>>;

function listText(
  settings: ChainSettings,
  delegates: readonly Address[],
  signers: readonly Described[],
): string {
  const fields = { chain: `${settings.chainId} (${settings.name})`, delegates: delegates.join(', ') };
  const rows = signers.map(({ address, state, balanceWei, operatorOf, keyId }) => [
    ...[address, state, formatEther(balanceWei), operatorOf.join(', ') || null, keyId],
  ]);
  const poor = signers.find(({ state, balanceWei }) => state === 'active' && balanceWei === 0n);
  return [
    fieldList(fields),
    table(['SIGNER', 'STATE', 'BALANCE', 'OPERATOR OF', 'KEY'], rows),
    ...(poor ? [`Fund ${poor.address}: with nothing to pay gas with, nothing is attested.`] : []),
  ].join('\n');
}
