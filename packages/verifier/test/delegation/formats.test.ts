import { spawnSync } from 'node:child_process';
import { describe, expect, it, test } from 'vitest';
import { authorityLink, parseAuthorityLink, tryParseAddress } from '../../src/delegation/authority-link.ts';
import {
  castCommand,
  type DelegationIntent,
  delegationCall,
  revocationCall,
} from '../../src/delegation/registry-call.ts';
import {
  delegationTypedData,
  formatSignedDelegation,
  parseSignedDelegation,
  SignedDelegationInvalidError,
} from '../../src/delegation/signed-delegation.ts';

const registryAddress = '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381';
const authorityAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const delegateAddress = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const intent: DelegationIntent = {
  ...{ chainId: 31_337, registryAddress, authorityAddress, delegateAddress },
  ...{ nonce: 3, deadline: 1_800_000_000 },
};
const signature = `0x${'1b'.repeat(65)}` as const;

test.each([
  [` ${authorityAddress}\n`, authorityAddress],
  [authorityAddress.toLowerCase(), authorityAddress],
  [authorityAddress.replace('C5', 'c5'), undefined],
  [`0x${'0'.repeat(40)}`, undefined],
  [authorityAddress.slice(0, 41), undefined],
  ['', undefined],
])('`tryParseAddress` parses %j as %s', (text, address) => {
  expect(tryParseAddress(text)).toBe(address);
});

describe('an authority link', () => {
  it('is parsed into the fields from which it was made', () => {
    const link = {
      chainId: 1,
      registryAddress,
      delegateAddress,
      authorityAddress,
      reference: 'eip155:1:0x/7',
    } as const;
    const url = authorityLink('https://example.org/authority.html#old', link);
    expect(url).toMatch(/^https:\/\/example\.org\/authority\.html#chain=1&/);
    expect(parseAuthorityLink(new URL(url).hash)).toEqual({ link, problems: [] });
  });

  it('is parsed without its invalid fields, which the parser names', () => {
    expect(
      parseAuthorityLink(`#chain=0&registry=${authorityAddress.replace('C5', 'c5')}&rpc=https://evil`),
    ).toEqual({
      link: {},
      problems: ['registry', 'chain'],
    });
  });
});

test('`castCommand` has lines of at most 80 columns', () => {
  const calls = [
    delegationCall(registryAddress, delegateAddress),
    delegationCall(registryAddress, undefined),
  ];
  for (const call of [...calls, revocationCall(registryAddress, 12)])
    for (const chainId of [11_155_111, 9_007_199_254_740_991])
      for (const line of castCommand(call, chainId).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

/** Returns the arguments that a shell passes to `cast`, and the shell's errors. */
function inShell(line: string, variables: Record<string, string> = {}) {
  const script = `cast() { printf '%s\\n' "$@"; }\n${line}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { env: variables, encoding: 'utf8' });
  return { args: stdout.trim().split('\n'), error: stderr };
}

test('`castCommand` names the chain and a node', () => {
  const call = delegationCall(registryAddress, delegateAddress);
  const rest = ['send', registryAddress, 'delegate(address)', delegateAddress, '--chain', '8453'];
  const [known, unknown] = [castCommand(call, 8453), castCommand(call, 31_337)];
  expect(inShell(known).args).toEqual([
    ...[...rest, '--interactive', '--rpc-url'],
    'https://base-rpc.publicnode.com',
  ]);
  expect(inShell(known, { RPC_URL: 'http://own/key' }).args.at(-1)).toBe('http://own/key');
  expect(inShell(unknown).error).toContain('RPC_URL: set it to the URL of a node of chain 31337');
  expect(inShell(unknown, { RPC_URL: 'http://own/key' }).args).toContain('31337');
});

describe('a signed delegation', () => {
  const file = formatSignedDelegation({ intent, signature });
  const changed = (changes: Readonly<Record<string, object | string | number>>) => {
    const fields = JSON.parse(file);
    for (const [name, change] of Object.entries(changes))
      fields[name] = typeof change === 'object' ? { ...fields[name], ...change } : change;
    return JSON.stringify(fields);
  };

  it.each([intent, { ...intent, delegateAddress: undefined }])(
    'is parsed into the delegation that was formatted',
    (delegation) => {
      const text = formatSignedDelegation({ intent: delegation, signature });
      expect(parseSignedDelegation(text)).toEqual({ intent: delegation, signature });
    },
  );

  it('may contain numbers as decimal strings', () => {
    const text = changed({ message: { nonce: '3', deadline: '1800000000' } });
    expect(parseSignedDelegation(text).intent).toEqual(intent);
  });

  it('may get its signature from outside the file', () => {
    const unsigned = JSON.stringify(delegationTypedData(intent));
    expect(() => parseSignedDelegation(unsigned)).toThrow('it is not signed');
    expect(parseSignedDelegation(unsigned, signature).signature).toBe(signature);
  });

  it.each([
    ['not JSON', '{', 'it is not JSON'],
    ['a number', '3', 'it must be an object'],
    ['without a domain', '{"message":{}}', 'domain is missing; it must be an object'],
    [
      'a wrong checksum',
      changed({ message: { authority: authorityAddress.replace('C5', 'c5') } }),
      'message.authority is not an address',
    ],
    ['a fraction', changed({ message: { nonce: 0.5 } }), 'message.nonce must be a whole number'],
    ['a negative deadline', changed({ message: { deadline: -1 } }), 'message.deadline must be'],
    ['another name', changed({ domain: { name: 'Permit2' } }), 'does not describe a delegation'],
    ['another struct', changed({ primaryType: 'Permit' }), 'does not describe a delegation'],
    ['an odd signature', changed({ signature: '0x123' }), 'it has a signature'],
    ['no signature', changed({ signature: 7 }), 'it has a signature'],
  ])('is rejected: %s', (_, text, message) => {
    expect(() => parseSignedDelegation(text)).toThrow(SignedDelegationInvalidError);
    expect(() => parseSignedDelegation(text)).toThrow(message);
  });
});
