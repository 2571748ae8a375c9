import type { AwsEndpoint } from '../../../local/emulator/aws-endpoint.ts';
import { checkRule } from '../../fakes/checks/outcome-checks.ts';
import type { Faults } from '../../fakes/ports/faults.ts';
import { evidenceOf } from '../../fakes/real/real-evidence.ts';
import { runRealService } from '../../fakes/real/real-service.ts';
import { alice, bob } from '../../fakes/world/world.ts';
import type { Scenario } from './scenario.ts';
import type { SoakWorld } from './stage.ts';

/** Builds the whole service on its real adapters, watched at every send. */
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
    check: async () => checkRule(await evidenceOf(world)),
    stop: world.stop,
  };
}
