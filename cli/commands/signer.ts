import type { Command } from 'commander';
import { formatEther } from 'viem';
import type { Act, Answer } from '../answer.ts';
import { parseChainId } from '../arguments.ts';
import type { Desk } from '../desk.ts';
import { fieldList } from '../field-list.ts';
import { offeredChain } from '../offered-chain.ts';

export function signer(program: Command, act: Act): void {
  program
    .command('signer')
    .description('Show the address that authorities delegate to. It signs every transaction and pays for it.')
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .action(({ chain }: { chain: number }) => act((desk) => show(desk, chain)));
}

async function show(desk: Desk, chainId: number): Promise<Answer> {
  const settings = await offeredChain(desk, chainId);
  const [chain, address] = await Promise.all([desk.chain(settings), desk.signerAddress()]);
  const balanceWei = await chain.balanceWei(address);
  const fields = {
    address,
    chain: `${chainId} (${settings.name})`,
    balance: `${formatEther(balanceWei)} (${balanceWei} wei)`,
  };
  const advice = balanceWei === 0n ? ['Fund it: with nothing to pay gas with, nothing is attested.'] : [];
  return {
    json: { chainId, address, balanceWei: String(balanceWei) },
    text: [fieldList(fields), ...advice].join('\n'),
  };
}
