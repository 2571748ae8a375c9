import type { Hex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { gasLimitOf } from '../../../../functions/domain/sending/batch-call.ts';
import { startAmsterdam } from '../../../../test/fakes/rpc/amsterdam.ts';
import { startAnvil } from '../../../../test/fakes/rpc/anvil.ts';
import { batchCalldata, type Member } from '../batch.ts';
import { chainOf, fundedAccount } from '../chain.ts';
import { executeCalldata, operator } from '../forwarder.ts';
import { other, platform, registryOn } from '../registry.ts';
import { serviceChain } from '../service/chain.ts';
import { commitOf, members } from './batch-gas.ts';
import { callsOf, GasMeter } from './gas.ts';

/** Nodes whose blocks have space for a batch, also by the rules of EIP-8037. */
const nodes = [
  { rules: 'today', start: () => startAnvil(['--gas-limit', '60000000']) },
  { rules: 'EIP-8037', start: () => startAmsterdam() },
];

/** Commit and reveal of the members. A single member uses the calls without a batch. */
function callsFor(sender: Hex, batch: readonly Member[]): { commit: Hex; reveal: Hex } {
  const [first] = batch;
  if (batch.length === 1 && first) return callsOf(sender, 0, first);
  return { commit: commitOf(sender, batch), reveal: batchCalldata(batch) };
}

test.each(nodes)(
  'the service’s gas limit is enough for a reveal even if others attest all its digests first: $rules',
  async ({ rules, start }) => {
    const node = await start();
    onTestFinished(node.stop);
    const chain = chainOf(node);
    const registry = await registryOn(chain);
    const meter = await GasMeter.start(registry, 50_000_000n);
    for (const route of ['key', 'forwarder'] as const) {
      const sender = meter.senderOf(route);
      for (const index of [1, 2]) await meter.delegate(fundedAccount(index), sender);
      const account = route === 'forwarder' ? operator.address : platform;
      const wordGas = await serviceChain(node.url, registry.address).wordGas(account);
      for (const size of [1, 10, 48]) {
        const mine = members(meter.nextMember, size);
        const foreign = members(meter.nextMember, size, (i) => ({
          authority: other,
          digest: mine[i]?.digest ?? '0x',
        }));
        const [own, others] = [callsFor(sender, mine), callsFor(sender, foreign)];
        for (const { commit } of [own, others]) await meter.send(route, [commit]);
        await meter.passRevealDelay();
        const call =
          route === 'forwarder'
            ? { to: meter.forwarder, data: executeCalldata([own.reveal]) }
            : { to: registry.address, data: own.reveal };
        const estimate = await chain.client.estimateGas({ account, ...call });
        await meter.send(route, [others.reveal]);
        const limit = gasLimitOf(
          mine.map(() => 'reveal'),
          estimate,
          wordGas,
        );
        await expect(meter.send(route, [own.reveal], limit), `${size}, ${rules}`).resolves.toMatchObject({
          gas: expect.any(Number),
        });
      }
    }
  },
);
