import { writeFileSync } from 'node:fs';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { answersOf, type Prompts, promptedAnswers } from '../../../admin/setup/answers.ts';
import { UsageInvalidError } from '../../../admin/terminal/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { authority, otherAuthority } from '../commands/fake-deployment.ts';
import { environmentWith, temporaryFolder } from './fake-setup.ts';

const [chain] = environmentWith().settings.chains as [ChainSettings];

/** A person who types the text whose key is in the question. */
function typed(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const type = (kind: string, question: string) => {
    asked.push(`${kind}: ${question}`);
    return Object.entries(texts).find(([words]) => question.includes(words))?.[1] ?? '';
  };
  const prompts: Prompts = {
    input: async (question, read) => read(type('input', question)),
    secret: async (question, read) => read(type('secret', question)),
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
  const onChain = [chain, parseEther('0.01'), 'at most 0.5 coins a day'] as const;
  const ask = async () => [
    ...[(await answers.chainIds()).length, await answers.rpcUrls(8453), await answers.rpcUrls(7)],
    ...[await answers.alarmAddresses(), await answers.operators(), await answers.delegate()],
    ...[await answers.forwarderAdmin(), (await answers.payer())?.type, await answers.signerFunds(...onChain)],
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
  expect(asked.filter((question) => question.includes('Coins'))).toEqual([
    'input: Coins to send to the signing key on Local (its transactions cost at most 0.5 coins a day): at least 0.01, or 0 for none',
  ]);
});

test.each(['0', ''])('`promptedAnswers` treats `%s` coins as none', async (coins) => {
  const { answers } = typed({ Coins: coins });
  expect(await answers.signerFunds(chain, 1n, '')).toBeUndefined();
});

test.each([
  ['forwarderAdmin', { forwarder: '0x12' }, /^must be a 20-byte hex address/],
  ['organization', { Name: 'The Daily', Address: '0x12' }, /^must be a 20-byte hex address/],
  ['organization', { Address: authority }, /^Too small/],
  ['signerFunds', { Coins: 'many' }, /^Invalid input: expected number/],
  ['signerFunds', { Coins: '0.009' }, /^Too small: expected number to be >=0.01$/],
  ['alarmAddresses', { alarms: 'ada@example.org, bob' }, /^must be an email address, or an https URL$/],
  ['operators', { ARNs: 'ada' }, /^must be the ARN of a role, a user, or an account/],
  ['payer', { pays: `0x${'11'.repeat(32)}` }, /^cannot read the payerKeyFile file; [^1]*$/],
] as const)(
  '`promptedAnswers` reports an invalid answer for %s in one line',
  async (question, texts, message) => {
    const error = await typed(texts)
      .answers[question](chain, parseEther('0.01'), '')
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

test.each([
  ['does not exist', undefined, /^articleFile .*article: ENOENT: no such file/],
  ['is not UTF-8', Buffer.from([0x41, 0xff]), /^articleFile .*: The encoded data was not valid/],
  ['is empty', '', /^articleFile .*: must not be empty$/],
  ['is too long', 'a'.repeat(1_048_577), /^articleFile .*: must be at most 1,048,576 bytes in UTF-8$/],
])('`answersOf` refuses an article that %s', (_, contents, message) => {
  const folder = temporaryFolder();
  if (contents !== undefined) writeFileSync(`${folder}/article`, contents);
  writeFileSync(`${folder}/answers.json`, JSON.stringify({ articleFile: `${folder}/article` }));
  const read = () => answersOf(`${folder}/answers.json`);
  expect(read).toThrow(UsageInvalidError);
  expect(read).toThrow(message);
});

test('`answersOf` keeps the exact text of an article, its byte order mark included', async () => {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/article`, '\ufeffA text.\r\n');
  writeFileSync(`${folder}/answers.json`, JSON.stringify({ articleFile: `${folder}/article` }));
  expect(await answersOf(`${folder}/answers.json`).article()).toBe('\ufeffA text.\r\n');
});
