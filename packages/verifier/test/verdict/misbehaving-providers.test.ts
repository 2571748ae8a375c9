import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { type Address, type Hex, sha256 } from 'viem';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AttestationReference, type Outcome, type RpcEndpoint, verify } from '../../src/verifier.ts';
import { verifyByBoth } from '../both-verifiers.ts';
import { FakeChain, FakeNode, FakeRpcError, type FakeTraits } from '../fake-node.ts';
import { referenceTo } from '../quote/quotable.ts';

const text = 'An article.\n';
const digest = sha256(new TextEncoder().encode(text));
const author: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let chain: FakeChain;
let reference: AttestationReference;
beforeEach(() => {
  chain = new FakeChain();
  chain.attest({ digest: sha256('0x01'), authority: author });
  reference = { ...referenceTo(text), attestationIndex: chain.attest({ digest, authority: author }) };
  chain.mine(10);
});

const node = (traits: FakeTraits = {}, name?: string) => new FakeNode(chain, traits, name);
const judge = (...providers: RpcEndpoint[]) => verifyByBoth(reference, { providers, text });
/** Uses only the library, because a node that changes would show the second verifier a different chain. */
const judgeByLibrary = (...providers: RpcEndpoint[]) => verify(reference, { providers, text });
const outcomeOf = async (...providers: RpcEndpoint[]): Promise<Outcome> =>
  (await judge(...providers)).outcome;

type RpcRequest = Parameters<FakeNode['request']>[0];

function proxyNode(
  answer: (rpcRequest: RpcRequest, ask: () => Promise<unknown>) => Promise<unknown>,
  traits?: FakeTraits,
) {
  const target = node(traits);
  const request = (rpcRequest: RpcRequest) => answer(rpcRequest, () => target.request(rpcRequest));
  return { name: 'a proxy', request };
}

test('the outcome is unknown without providers', async () => {
  expect(await judgeByLibrary()).toMatchObject({ outcome: 'unknown', reason: 'No provider was given.' });
});

test('a provider that is an hour stale causes a notice', async () => {
  const { timestamp = 0 } = chain.blocks.at(-1) ?? {};
  const judgeAfter = (seconds: number) =>
    verify(reference, { providers: [node()], now: new Date((timestamp + seconds) * 1000) });
  expect((await judgeAfter(3599)).notices).toEqual([]);
  const time = new Date(timestamp * 1000).toISOString();
  expect((await judgeAfter(3600)).notices).toEqual([
    `It was read at a block of ${time}: later changes, such as a revocation, are unknown.`,
  ]);
});

/** A node that claims a million blocks above the newest. */
const exaggeratingNode = () => {
  const newest = async (ask: () => Promise<unknown>, number: unknown) => ({
    ...((await ask()) as object),
    ...{ number, timestamp: '0x7fffffff', hash: chain.blocks.at(-1)?.hash },
  });
  return proxyNode(async ({ method, params: [block] }, ask) => {
    if (method !== 'eth_getBlockByNumber') return ask();
    if (block === 'latest' || block === 'finalized') return newest(ask, '0xf4240');
    return Number(block) < chain.blocks.length ? ask() : newest(ask, block);
  });
};

test('one fast provider cannot make an attestation deeper or more final', async () => {
  const slow = (name: string) => {
    const { request } = proxyNode((_, ask) => new Promise((resolve) => setTimeout(() => resolve(ask()), 5)), {
      finalDepth: 11,
    });
    return { name, request };
  };
  expect(await judge(exaggeratingNode())).toMatchObject({ attestation: { revealBlock: { depth: 999_997 } } });
  expect(await judge(exaggeratingNode(), slow('one'), slow('two'))).toMatchObject({
    outcome: 'verified',
    block: { number: 14 },
    notYetFinal: true,
    attestation: { revealBlock: { number: 4, depth: 11 } },
  });
});

test('nodes agree although their newest blocks differ', async () => {
  const verdict = await judge(node({}, 'one'), node({ lag: 3 }, 'two'), node({ byHash: false }, 'three'));
  const attestation = { revealBlock: { depth: 8 } };
  expect(verdict).toMatchObject({ outcome: 'verified', notYetFinal: false, attestation });
  expect(verdict.providers.map(({ block }) => block?.number)).toEqual([14, 11, 14]);
});

describe('providers with a different chain', () => {
  test.each([
    ['another chain', { chainId: 1 }, 'serves chain 1, not 8453'],
    ['no chain', { chainId: Number.NaN }, 'returned no usable answer to eth_chainId'],
  ])('a provider with %s does not count', async (_, traits, says) => {
    const single = await judge(node(traits, 'wrong'));
    const providers = [{ says, answered: false }];
    expect(single).toMatchObject({ outcome: 'unknown', block: undefined, providers });
    expect(single.reason).toContain(`wrong ${says}`);
    const mixed = await judge(node(), node(traits, 'wrong'), node());
    expect(mixed).toMatchObject({ outcome: 'verified', notices: expect.arrayContaining([`wrong ${says}.`]) });
  });

  test('one of two providers is too few', async () => {
    const wrong = node({ chainId: 1 });
    const nothing = { outcome: 'unknown', attestation: undefined, registry: undefined, block: undefined };
    expect(await judge(node(), wrong)).toMatchObject(nothing);
    expect(await judge(wrong, node())).toMatchObject(nothing);
  });

  test('a provider that lags behind the attestation disagrees, and the reason quotes both answers', async () => {
    const verdict = await judge(node({}, 'current'), node({ lag: 11 }, 'late'));
    expect(verdict).toMatchObject({ outcome: 'unknown', attestation: undefined, record: undefined });
    expect(verdict.reason).toMatch(/^The providers disagree: current reports index 2 .*; late reports no/);
    // If it is the only provider, its answer counts for its block, which the verdict names.
    expect(await judge(node({ lag: 11 }))).toMatchObject({ outcome: 'notFound', block: { number: 3 } });
  });

  test.each([
    ['a revocation', () => chain.change(2, { revokedAt: 1_800_000_100 })],
    ['a child', () => chain.change(2, { child: sha256('0x02') })],
  ])('a provider that lags behind %s disagrees', async (_, change) => {
    change();
    expect(await outcomeOf(node(), node({ lag: 1 }), node())).toBe('unknown');
  });

  test('a provider with other code disagrees', async () => {
    expect(await outcomeOf(node(), node({ code: '0x00' }), node())).toBe('unknown');
  });
});

const failures: readonly [string, () => Promise<unknown>][] = [
  ['refuses', () => Promise.reject(new FakeRpcError(-32_000, 'header not found'))],
  ['is over its limit', () => Promise.reject(new FakeRpcError(-32_005, 'limit exceeded'))],
  ['does not know the method', () => Promise.reject(new FakeRpcError(-32_601, 'not found'))],
  ['throws another error', () => Promise.reject(new TypeError('fetch failed: https://host/secret-key'))],
  ['throws undefined', () => Promise.reject()],
  ['returns null', async () => null],
  ['returns undefined', async () => undefined],
  ['returns a number', async () => 7],
  ['returns a word', async () => 'busy'],
  ['returns an invalid object', async () => ({ number: '0x', hash: '0x12', timestamp: null })],
  ['returns useless bytes', async () => '0x12'],
  ['returns half a byte', async () => '0x600'],
  ['returns an endless number', async () => `0x${'f'.repeat(7 * 64)}`],
  ['reverts', () => Promise.reject(new FakeRpcError(3, 'execution reverted', '0x'))],
];
const methods = ['eth_chainId', 'eth_getBlockByNumber', 'eth_getCode', 'eth_call'];
/** These answers are valid code of another contract. */
const isValidCode = (method: string, name: string) =>
  method === 'eth_getCode' && /^returns (useless bytes|an endless number)$/.test(name);

describe.each(failures)('a provider that %s', (name, fail) => {
  test.each(methods.filter((method) => !isValidCode(method, name)))(
    'at every %s leads to an unknown outcome',
    async (method) => {
      const failing = proxyNode((rpcRequest, ask) => (rpcRequest.method === method ? fail() : ask()));
      const verdict = await judge(failing);
      expect(verdict.outcome).toBe('unknown');
      expect(JSON.stringify(verdict)).not.toContain('secret-key');
      expect(await outcomeOf(node(), failing, node())).toBe('verified');
    },
  );
});

test.each([
  ['an object as data', { data: JSON.parse('{"toString":1}') }],
  ['an object as message', { message: JSON.parse('{"toString":1}') }],
  ['deeply nested data', { data: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) }],
])('an error with %s is handled', async (_, error) => {
  const hostile = proxyNode(() => Promise.reject({ code: -32_000, ...error }));
  expect(await outcomeOf(hostile)).toBe('unknown');
  expect(await outcomeOf(node(), hostile, node())).toBe('verified');
});

test('the report of a failing provider does not repeat its message', async () => {
  const broken = proxyNode(() => Promise.reject(new TypeError('fetch failed: https://host/secret-key')));
  expect((await judge(broken)).providers).toMatchObject([{ says: 'does not answer' }]);
  const refusing = proxyNode(() => Promise.reject(new FakeRpcError(-32_005, 'limit of secret-key exceeded')));
  expect((await judge(refusing)).providers).toMatchObject([{ says: 'returned the error -32005' }]);
});

const [entryCall, firstCall, byAuthorityCall] = ['0x01daf26b', '0x67c5ba08', '0xa1edc0c7'];

/** A node with its own answer to calls of one function. */
const nodeAnswering = (selector: string | undefined, answer: () => unknown) =>
  proxyNode(async ({ method, params: [call] }, ask) => {
    const { data } = { data: '', ...(call as { data?: string }) };
    return method === 'eth_call' && selector && data.startsWith(selector) ? answer() : ask();
  });

const wordOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

describe('the provider is at fault if it returns', () => {
  test('an entry that is not found by its content', async () => {
    const verdict = await judge(nodeAnswering(byAuthorityCall, () => wordOf(0)));
    expect(verdict).toMatchObject({ outcome: 'unknown', providers: [{ answered: false }] });
    expect(verdict.reason).toContain('contradicts itself');
  });

  test('an index found by content, with another entry', async () => {
    reference = { ...reference, attestationIndex: 1 };
    expect(await outcomeOf(nodeAnswering(byAuthorityCall, () => wordOf(1)))).toBe('unknown');
  });

  test('an index found by the content of a child, with another entry', async () => {
    const child = sha256('0x02');
    chain.attest({ digest: child, authority: author });
    chain.change(2, { child });
    expect(await outcomeOf(node())).toBe('superseded');
    const ofChild = `${byAuthorityCall}${child.slice(2)}`;
    expect(await outcomeOf(nodeAnswering(ofChild, () => wordOf(1)))).toBe('unknown');
  });

  test('a first attestation that has another content', async () => {
    expect(await outcomeOf(nodeAnswering(firstCall, () => wordOf(1)))).toBe('unknown');
  });

  test('two attestations of the content by one authority', async () => {
    const second = chain.attest({ digest, authority: author });
    expect(await outcomeOf(nodeAnswering(firstCall, () => wordOf(second)))).toBe('unknown');
  });
});

test('an error other than a revert does not mean that an entry is missing', async () => {
  const limited = nodeAnswering(entryCall, () => {
    throw new FakeRpcError(-32_005, 'limit exceeded');
  });
  const options = { providers: [limited], text };
  expect(await verify({ ...reference, attestationIndex: 99 }, options)).toMatchObject({ outcome: 'unknown' });
});

test('`verify` waits for a silent provider until the timeout', async () => {
  const silent = { name: 'silent', request: () => new Promise(() => {}) };
  const options = { providers: [silent], text, timeoutMilliseconds: 50 };
  const verdict = await verify(reference, options);
  expect(verdict).toMatchObject({ outcome: 'unknown', providers: [{ says: 'does not answer in time' }] });
  expect(verdict.asked).toEqual([{ provider: 'silent', method: 'eth_chainId', params: [], answered: false }]);
});

describe('the block of all reads', () => {
  /** The block parameters of all reads of the state. */
  const blocksRead = async (provider: RpcEndpoint) => {
    const { asked } = await judge(provider);
    const reads = asked.filter(({ method, answered }) => answered && /^eth_(call|getCode)$/.test(method));
    return new Set(reads.map(({ params }) => JSON.stringify(params.at(-1))));
  };

  test('is named by its hash, or by its number if the node does not accept hashes', async () => {
    const hash = chain.blocks.at(-1)?.hash;
    expect(await blocksRead(node())).toEqual(new Set([JSON.stringify({ blockHash: hash })]));
    expect(await blocksRead(node({ byHash: false }))).toEqual(new Set(['"0xe"']));
  });

  test.each([true, false])('is read again after a reorg (by hash: %s)', async (pins) => {
    let calls = 0;
    const reorganizing = proxyNode(
      async (rpcRequest, ask) => {
        if (rpcRequest.method === 'eth_call' && ++calls === 2) chain.reorganize(11);
        return ask();
      },
      { byHash: pins },
    );
    const verdict = await judgeByLibrary(reorganizing);
    // The reorg has removed the attestation's block.
    expect([verdict.outcome, verdict.block?.hash]).toEqual(['notFound', chain.blocks.at(-1)?.hash]);
  });

  test('is not found if the chain reorganizes at each read', async () => {
    const restless = proxyNode(
      async (rpcRequest, ask) => {
        if (rpcRequest.method === 'eth_call') chain.reorganize(1);
        return ask();
      },
      { byHash: false },
    );
    const providers = [{ says: 'returned a different block each time' }];
    expect(await judgeByLibrary(restless)).toMatchObject({ outcome: 'unknown', providers });
  });
});

test.each([
  ['in data', (error: unknown) => ({ code: -32_603, message: 'Internal JSON-RPC error.', data: error })],
  ['in a cause', (cause: unknown) => new Error('The contract call failed.', { cause })],
  ['with only the code', () => ({ code: 3, message: 'the call failed' })],
  ['with only data', () => ({ code: -32_000, message: 'the call failed', data: '0x08c379a0' })],
  ['without data', () => ({ code: -32_000, message: 'VM Exception while processing transaction: revert' })],
])('a revert that a wallet wraps %s is recognized', async (_, wrap) => {
  const wallet = proxyNode((_question, ask) => ask().catch((error: unknown) => Promise.reject(wrap(error))));
  const missing = verify({ ...reference, attestationIndex: 99 }, { providers: [wallet] });
  expect(await missing).toMatchObject({ outcome: 'notFound' });
});

test('an index above the last one is not found, whether the registry reverts or returns zeros', async () => {
  for (const zerosAbove of [true, false]) {
    const providers = [node({ zerosAbove })];
    expect(await verify({ ...reference, attestationIndex: 99 }, { providers })).toMatchObject({
      outcome: 'notFound',
      reason: `The authority attested ${reference.contentCid} as attestation 2, not as attestation 99.`,
      record: { entry: undefined },
    });
  }
});

test('a revocation in a block that is not final is reported as such', async () => {
  const { timestamp = 0 } = chain.blocks.at(-1) ?? {};
  chain.change(2, { revokedAt: timestamp + 12 });
  expect(await judge(node({ finalDepth: 1 }))).toMatchObject({ outcome: 'revoked', notYetFinal: true });
  chain.mine(2);
  expect(await judge(node({ finalDepth: 1 }))).toMatchObject({ outcome: 'revoked', notYetFinal: false });
});

test.each([
  ['a final block below the attestation', 11, true],
  ["a final block of the attestation's second", 10, true],
  ['a final block above the attestation', 9, false],
  ['no final block', null, true],
])('finality is correct with %s', async (_, finalDepth, notYetFinal) => {
  expect(await judge(node({ finalDepth }))).toMatchObject({ outcome: 'verified', notYetFinal });
  const cautious = await judge(node({ finalDepth }), node({ finalDepth: null }), node({ finalDepth }));
  expect(cautious).toMatchObject({ outcome: 'verified', notYetFinal: true });
});

test('a time beyond all dates is printed as a number', async () => {
  chain.change(2, { timestamp: 2 ** 47 });
  expect((await judgeByLibrary(node())).reason).toBe(`It was attested at second ${2 ** 47}, and is valid.`);
});

test('the public deployment is recognized by its address, with a notice', async () => {
  chain = new FakeChain(1, '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381');
  chain.attest({ digest, authority: other });
  chain.attest({ digest, authority: author });
  reference = { ...reference, chainId: 1, registryAddress: chain.registryAddress };
  const verdict = await judge(node({ code: '0x00', zerosAbove: true }));
  expect(verdict).toMatchObject({ outcome: 'verified', firstAttestedBy: { authorityAddress: other } });
  expect(verdict.notices).toContainEqual(expect.stringContaining('its code is not compared'));
});

test('providers of one host get different names, without paths or keys', async () => {
  const urls = ['http://127.0.0.1:1/key-1', 'http://127.0.0.1:1/key-2'];
  const verdict = await verify(reference, { providers: [...urls, { request: node().request }] });
  expect(verdict.providers.map(({ name }) => name)).toEqual(['127.0.0.1:1', '127.0.0.1:1 (2)', 'provider 3']);
  expect(JSON.stringify(verdict)).not.toContain('key-');
  const invalid = verify(reference, { providers: ['ftp://host/key-1'] });
  await expect(invalid).rejects.toThrow('an RPC endpoint must be an http or https URL');
});

test('outcomes have the documented order', async () => {
  const altered = () => verify(reference, { providers: [node()], text: 'Another.' });
  chain.change(2, { revokedAt: 1_800_000_500, child: sha256('0x02') });
  expect([(await altered()).outcome, await outcomeOf(node())]).toEqual(['altered', 'revoked']);
  chain.change(2, { revokedAt: 0 });
  expect([(await altered()).outcome, await outcomeOf(node())]).toEqual(['altered', 'superseded']);
});

test.each<[string, FakeTraits]>([
  ['one extra byte of code', { code: `${registryDeployment(60).runtimeCode}00` }],
  ['another delay in the code', { code: registryDeployment(61).runtimeCode }],
])('both verifiers reject a node with %s', async (_, traits) => {
  expect(await outcomeOf(node(traits))).toBe('unknown');
});
