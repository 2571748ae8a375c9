import { attestationsFunction } from 'imprimatur-contracts/attestation-registry-abi';
import { type Hex, pad, toFunctionSelector } from 'viem';
import { expect, test } from 'vitest';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../functions/domain/attestation/content-cid.ts';
import { ChainUnreachableError, ContentRevokedError } from '../../functions/domain/errors.ts';
import { RpcRefusal } from '../fakes/rpc/rpc-call.ts';
import type { Answering, RpcRule } from '../fakes/rpc/rpc-proxy.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, serve } from './world/served.ts';

const text = 'An article.';

const callRule = (by: Answering): RpcRule => ({ fault: { kind: 'answered', by }, methods: ['eth_call'] });

const entrySelector = toFunctionSelector(attestationsFunction);

/** Entries come from a node that is behind the one that names their index, and does not have them. */
const entriesLag = (shown: () => Hex) =>
  callRule(async ({ method, params = [] }, ask) => {
    const { data } = params[0] as { readonly data?: Hex };
    return data?.startsWith(entrySelector) ? shown() : ask(method, params);
  });

const zerosShown = entriesLag(() => pad('0x', { size: 7 * 32 }));

const reverting = entriesLag(() => {
  throw new RpcRefusal({ code: 3, message: 'execution reverted', data: '0x' });
});

/** Blocks are named by number only, as before EIP-1898. */
const hashesRefused = callRule(async ({ method, params = [] }, ask) => {
  if (typeof params[1] === 'object')
    throw new RpcRefusal({ code: -32_602, message: 'invalid argument 1: cannot unmarshal object' });
  return ask(method, params);
});

test.each(routes)('row 35: an entry of zeros confirms nothing, and nothing of 1970: %j', async (route) => {
  const { world, post, pass, until, endsByRule } = await serve(route);
  const { attestation } = await post(alice, text);
  const [provider] = world.providers;
  const lift = provider?.set(zerosShown);
  await until(async () => (await world.row(attestation)).revealPhase === 'final');
  await pass(300);
  expect(await world.row(attestation)).toMatchObject({ status: 'committed', error: null });
  lift?.();
  await endsByRule();
  const { status, confirmedAt } = await world.row(attestation);
  expect([status, confirmedAt?.slice(0, 4)]).toEqual(['confirmed', '2026']);
});

test.each([
  ['of zeros', zerosShown],
  ['that is refused', reverting],
] as const)('row 35: an entry %s does not tell that content still stands', async (_, lagging) => {
  const { world, post } = await serve();
  const { chain } = world;
  await chain.attest(alice.authorityAddress, contentDigest(parseContent(text)));
  await chain.revokeAttestation(alice.authorityAddress, 1);
  await world.mine(chain.settings.confirmations);
  const lift = world.providers[0]?.set(lagging);
  await expect(post(alice, text)).rejects.toThrow(ChainUnreachableError);
  lift?.();
  await expect(post(alice, text)).rejects.toThrow(ContentRevokedError);
});

test.each(routes)('row 35: a provider that takes no block hashes serves all the same: %j', async (route) => {
  const { world, post, endsByRule } = await serve(route);
  world.providers[0]?.set(hashesRefused);
  const { attestation } = await post(alice, text);
  await endsByRule();
  expect((await world.row(attestation)).status).toBe('confirmed');
});
