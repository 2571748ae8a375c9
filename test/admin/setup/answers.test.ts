import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answersOf, type Prompts, promptedAnswers } from '../../../admin/setup/answers.ts';
import { UsageInvalidError } from '../../../admin/terminal/errors.ts';
import { authority, otherAuthority } from '../commands/fake-deployment.ts';
import { temporaryFolder } from './fake-setup.ts';

/** A person who types these texts, by the words of the question. */
function typed(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const type = (kind: string) => async (question: string) => {
    asked.push(`${kind}: ${question}`);
    return Object.entries(texts).find(([words]) => question.includes(words))?.[1] ?? '';
  };
  const prompts: Prompts = {
    ...{ input: type('input'), secret: type('secret') },
    choose: async (question, choices) => {
      asked.push(`choose: ${question}`);
      return choices[0]?.value as never;
    },
    chooseSome: async (question, choices) => {
      asked.push(`choose some: ${question}`);
      return choices.map(({ value }) => value);
    },
    confirm: async () => true,
  };
  return { answers: promptedAnswers(prompts), asked };
}

test('`promptedAnswers` asks each question once, and RPC URLs without an echo', async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/key`, `0x${'11'.repeat(32)}\n`);
  writeFileSync(`${folder}/urls`, 'https://a.example/1\nhttps://b.example/2\n');
  const { answers, asked } = typed({
    ...{ 'RPC URL of Base': 'https://node.example/key', 'RPC URL of chain 7': `${folder}/urls` },
    ...{ alarms: 'ada@example.org, https://alarms.example', forwarder: otherAuthority, Coins: '0.5' },
    ...{ 'private key that pays': `${folder}/key`, Name: ' The Daily ', Address: authority.toLowerCase() },
  });
  const ask = async () => [
    ...[(await answers.chainIds()).length, await answers.rpcUrls(8453), await answers.rpcUrls(7)],
    ...[await answers.alarmAddresses(), await answers.operators(), await answers.delegate()],
    ...[await answers.forwarderAdmin(), (await answers.payer())?.type, await answers.signerFunds()],
    ...[await answers.organization(), await answers.authorityKey()],
  ];
  const expected = [
    ...[4, ['https://node.example/key'], ['https://a.example/1', 'https://b.example/2']],
    ...[['ada@example.org', 'https://alarms.example'], [], 'forwarder'],
    ...[otherAuthority, 'local', 0.5, { name: 'The Daily', authority }, undefined],
  ];
  expect(await ask()).toEqual(expected);
  const count = asked.length;
  expect(await ask()).toEqual(expected);
  expect(asked).toHaveLength(count);
  expect(asked.filter((question) => question.includes('RPC'))).toEqual([
    'secret: RPC URL of Base, or a file with one URL per line',
    'secret: RPC URL of chain 7, or a file with one URL per line',
  ]);
});

test.each([
  ['forwarderAdmin', { forwarder: '0x12' }, /^the admin: must be a 20-byte hex address/],
  ['organization', { Name: 'The Daily', Address: '0x12' }, /^the publisher: must be a 20-byte hex address/],
  ['organization', { Address: authority }, /^the publisher: Too small/],
  ['signerFunds', { Coins: 'many' }, /^coins: Invalid input: expected number/],
  ['signerFunds', { Coins: '-1' }, /^coins: Too small/],
  ['payer', { pays: `0x${'11'.repeat(32)}` }, /^cannot read the payerKeyFile file; [^1]*$/],
] as const)(
  '`promptedAnswers` reports an invalid answer for %s in one line',
  async (question, texts, message) => {
    const error = await typed(texts)
      .answers[question]()
      .catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(UsageInvalidError);
    expect((error as Error).message).toMatch(message);
  },
);

test('`answersOf` names an unknown answer and an invalid one', () => {
  const file = `${temporaryFolder()}/answers.json`;
  writeFileSync(file, JSON.stringify({ chain: 1, signerFunds: 0 }));
  expect(() => answersOf(file)).toThrow(
    /signerFunds: Too small(.|\n)*chain: is unknown; known names: chains/,
  );
});
