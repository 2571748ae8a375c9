import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  type Log,
  zeroHash,
} from 'viem';
import { expect, it } from 'vitest';
import { batchCalldata, batchHash } from '../../contracts/test/chain/batch.ts';
import { minedCalls } from './mined-calls.ts';

type Mined = Log<bigint, number, false>;

const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const authorityAddress = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const to: Hex = `0x${'f'.repeat(40)}`;

const abi = attestationRegistryAbi;
const commit = encodeFunctionData({ abi, functionName: 'commit', args: [word('1')] });
const revealArgs = [word('1'), word('2'), word('3'), word('4'), zeroHash, authorityAddress] as const;
const reveal = encodeFunctionData({ abi, functionName: 'reveal', args: revealArgs });
const link = encodeFunctionData({ abi, functionName: 'setChildIpfsHash', args: [1n, word('5')] });
const batch = (...calls: Hex[]) =>
  encodeFunctionData({ abi: delegateForwarderAbi, functionName: 'execute', args: [calls] });

/** That a call of a batch failed, as this contract says. */
const callFailed = (position: bigint, address = to) => {
  const args = { position };
  const topics = encodeEventTopics({ abi: delegateForwarderAbi, eventName: 'CallFailed', args });
  return { address, topics, data: encodeAbiParameters([{ type: 'bytes' }], ['0x1234']) } as Mined;
};

const from: Hex = `0x${'a'.repeat(40)}`;
const mined = (input: Hex, ...logs: Mined[]) => minedCalls({ input, from }, { status: 'success', to, logs });
const succeededOf = (calls: { succeeded: boolean }[]) => calls.map(({ succeeded }) => succeeded);

it('reads the one call of a transaction to the registry', () => {
  expect(mined(commit)).toEqual([{ kind: 'commit', saltedHash: word('1'), succeeded: true }]);
  const revealed = { kind: 'reveal', saltedHash: word('1'), digest: word('3'), authorityAddress };
  expect(mined(reveal)).toEqual([{ ...revealed, succeeded: true }]);
  expect(mined(link)).toEqual([{ kind: 'other', succeeded: true }]);
});

it('reads the calls of a batch in their order', () => {
  expect(mined(batch(reveal, commit, link)).map(({ kind }) => kind)).toEqual(['reveal', 'commit', 'other']);
});

it('takes from the events of the forwarder which calls failed', () => {
  const calls = mined(batch(commit, commit, reveal), callFailed(0n), callFailed(2n));
  expect(succeededOf(calls)).toEqual([false, true, false]);
});

it('believes no event of another contract', () => {
  const registry: Hex = `0x${'e'.repeat(40)}`;
  expect(succeededOf(mined(batch(commit, commit), callFailed(1n, registry)))).toEqual([true, true]);
});

it('counts every call of a reverted transaction as failed', () => {
  const reverted = (input: Hex) => minedCalls({ input, from }, { status: 'reverted', to, logs: [] });
  expect(succeededOf(reverted(commit))).toEqual([false]);
  expect(succeededOf(reverted(batch(commit, reveal)))).toEqual([false, false]);
});

it.each([
  ['itself', from, (data: Hex) => data],
  ['a forwarder', to, (data: Hex) => batch(data)],
])('reads the members of a batch that %s reveals, with what its commit showed', (_, sender, made) => {
  const members = ['1', '2', '3'].map((digit) => ({
    ...{ authority: authorityAddress as Hex, salt: word(digit), digest: word(digit), quoteRoot: word('4') },
  }));
  const skipped: Mined = {
    ...{ address: to, data: encodeAbiParameters([{ type: 'bytes' }], ['0x']) },
    topics: encodeEventTopics({ abi, eventName: 'MemberSkipped', args: { position: 2n } }),
  } as Mined;
  const saltedHash = batchHash(sender, members);
  const input = made(batchCalldata(members, (position) => position !== 0));
  const revealed = { kind: 'reveal', saltedHash, authorityAddress: authorityAddress.toLowerCase() };
  expect(mined(input, skipped)).toEqual([
    { ...revealed, digest: word('2'), succeeded: true },
    { ...revealed, digest: word('3'), succeeded: false },
  ]);
});

it('finds no call in a cancellation', () => {
  expect(mined('0x')).toEqual([]);
});

it('knows nothing of other calldata', () => {
  expect(mined('0x12345678')).toEqual([{ kind: 'other', succeeded: true }]);
  expect(mined(batch('0x12345678'))).toEqual([{ kind: 'other', succeeded: true }]);
});
