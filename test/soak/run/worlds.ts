import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { SimulatedNode } from '../../fakes/chain/branches.ts';
import { checkOutcomes, onUnstoredSend } from '../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../fakes/ports/fake-signer.ts';
import type { Faults } from '../../fakes/ports/faults.ts';
import { evidenceOf } from '../../fakes/real/real-evidence.ts';
import { runRealService } from '../../fakes/real/real-service.ts';
import { type RunningService, runService } from '../../fakes/world/running-service.ts';
import { alice, bob, chainId } from '../../fakes/world/world.ts';
import { checkInvariants } from '../invariants/record-invariants.ts';
import type { SoakWorld } from './context.ts';
import type { Scenario, SeededChoices } from './scenario.ts';

/** Number of nodes of the chain. Any of them may answer a request. */
const nodeCount = 3;

/** Builds the whole service on fakes, with checks at every write and send. */
export function simulatedWorld(scenario: Scenario, faults: Faults, choices: SeededChoices): SoakWorld {
  const repeats = () => choices.oneIn(scenario.repeatsOneIn);
  const behavior = { overlaps: true, random: choices.bytes, repeats };
  const service = runService(faults, { ...scenario.given, batches: scenario.batches }, behavior);
  const { world } = service;
  world.chain.legacy = scenario.legacy;
  for (let node = 1; node < nodeCount; node++) world.chain.nodes.push(new SimulatedNode());
  world.chain.chooseNode = (reachable) => reachable[choices.below(reachable.length)];
  const violations: string[] = [];
  checkInvariants(
    world.records,
    () => world.chain.undidFinal,
    (violation) => violations.push(violation),
  );
  onUnstoredSend(world, (violation) => violations.push(violation));
  return {
    ...{ service, violations },
    callers: Array.from({ length: scenario.organizations }, (_, number) => callerOf(service, number)),
    addKey: async () => {
      const keyId = `key-${world.signers.size}`;
      const signer = new FakeSigner(secret('c', world.signers.size));
      world.signers.set(keyId, signer);
      return { keyId, address: signer.address };
    },
    check: () => checkOutcomes(world),
    stop: async () => {},
  };
}

const secret = (kind: string, number: number): Hex => `0x${kind}${String(number).padStart(63, '0')}`;

function callerOf({ world }: RunningService, number: number): Caller {
  const authorityAddress = privateKeyToAddress(secret('a', number));
  world.chain.delegate(authorityAddress, world.delegateAddress);
  const organizationId = `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return { organizationId, authorityAddress, defaultChainId: chainId };
}

/** Builds the whole service on its real adapters, with checks at every send. */
export async function realWorld(
  { given }: Scenario,
  faults: Faults,
  emulator: AwsEndpoint,
): Promise<SoakWorld> {
  const service = await runRealService({ ...given, emulator, providers: 2 }, { faults, overlaps: true });
  const { world } = service;
  return {
    ...{ service, violations: world.unstored, callers: [alice, bob] },
    addKey: async () => {
      const keyId = await world.addKey();
      const address = world.signers.get(keyId)?.address;
      if (!address) throw new Error(`no key ${keyId}`);
      return { keyId, address };
    },
    check: async () => checkOutcomes(await evidenceOf(world)),
    stop: world.stop,
  };
}
