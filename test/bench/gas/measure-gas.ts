import { setTimeout as pause } from 'node:timers/promises';
import type { Address, TransactionReceipt } from 'viem';
import { attestationRegistryAbi } from '../../../contracts/artifacts/attestation-registry-abi.ts';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { registryCall } from '../../../functions/domain/operation/registry-call.ts';
import { delegateAuthority } from '../../../local/stack/delegate-authority.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import type { Bench, Cell, Table } from '../report/section.ts';
import { sendAll } from './delegate-sender.ts';
import { gasAccount } from './gas-accounts.ts';
import { gasAttestation } from './gas-attestation.ts';

const delegate = gasAccount('delegate');
const [opener, first, second] = ['opener', 'first', 'second'].map(gasAccount) as [
  ReturnType<typeof gasAccount>,
  ReturnType<typeof gasAccount>,
  ReturnType<typeof gasAccount>,
];

/** Cases in this order: the first call for a digest or for the registry pays for storage that later ones find. */
const cases: readonly [name: string, authority: Address, text: string][] = [
  ["the registry's first", opener.address, 'opening'],
  ["first attester of the digest, the authority's first", first.address, 'one'],
  ['first attester of the digest, authority warm', first.address, 'two'],
  ["second attester of the digest, the authority's first", second.address, 'one'],
  ['second attester of the digest, authority warm', second.address, 'two'],
];

async function awaitDelay({ chain, file }: Stack, committed: readonly TransactionReceipt[]): Promise<void> {
  const { publicClient } = chain;
  const last = committed.at(-1);
  const { timestamp } = await publicClient.getBlock(last ? { blockHash: last.blockHash } : {});
  const revealableAt = Number(timestamp) + file.revealDelaySeconds;
  while (Number((await publicClient.getBlock()).timestamp) < revealableAt) await pause(200);
}

async function linkAll({ chain }: Stack, row: Attestation, children: readonly Attestation[]) {
  const attestationIndex = Number(
    await chain.publicClient.readContract({
      address: row.registryAddress,
      abi: attestationRegistryAbi,
      functionName: 'cidAndAddressToAttestationIndices',
      args: [row.digest, row.authorityAddress],
    }),
  );
  const calls = children.map(({ digest }) =>
    registryCall({ ...row, attestationIndex, childDigest: digest }, 'link'),
  );
  return sendAll(chain, delegate, calls);
}

const gasOf = (receipt: TransactionReceipt | undefined): number => Number(receipt?.gasUsed ?? Number.NaN);

function attestationRows(
  commits: readonly TransactionReceipt[],
  reveals: readonly TransactionReceipt[],
): Cell[][] {
  return cases.map(([name], at) => {
    const [commit, reveal] = [gasOf(commits[at]), gasOf(reveals[at])];
    return [name, commit, reveal, commit + reveal];
  });
}

/** Measures the gas of the calls as the service encodes them, from receipts of a chain with the compiled registry. */
export async function measureGas({ stack: open, log }: Bench): Promise<Table[]> {
  const stack = await open();
  const { chain, file } = stack;
  const { registryAddress } = file;
  log('three authorities delegate');
  for (const authority of [opener, first, second]) {
    await delegateAuthority(chain, { registryAddress, authority, delegateAddress: delegate.address });
  }
  const terms = { chainId: chain.chainId, registryAddress, delegateAddress: delegate.address };
  const rows = cases.map(([, authorityAddress, text]) =>
    gasAttestation({ ...terms, authorityAddress, text }),
  );
  log('commits, reveals and links');
  const send = (kind: 'commit' | 'reveal') =>
    sendAll(
      chain,
      delegate,
      rows.map((row) => registryCall(row, kind)),
    );
  const commits = await send('commit');
  await awaitDelay(stack, commits);
  const reveals = await send('reveal');
  const [, parent, ...children] = rows as [Attestation, Attestation, ...Attestation[]];
  const links = await linkAll(stack, parent, children.slice(0, 2));
  return [
    {
      title: 'Gas of an attestation, sent by a delegate',
      columns: ['attestation', 'commit', 'reveal', 'both'],
      rows: attestationRows(commits, reveals),
    },
    {
      title: 'Gas of a child link, sent by a delegate',
      columns: ['link', 'gas'],
      rows: [
        ['first', gasOf(links[0])],
        ['overwriting another', gasOf(links[1])],
      ],
    },
  ];
}
