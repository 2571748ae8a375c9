import type { Command } from 'commander';
import type { PrivateKeyAccount } from 'viem/accounts';
import { laneName } from '../../functions/domain/lane.ts';
import { findLaneState } from '../../functions/domain/lane-records.ts';
import type { Services } from '../../functions/domain/services.ts';
import { chainSigners } from '../../functions/domain/signers.ts';
import { activateSigner } from '../../functions/domain/signers-change.ts';
import { sendAdminCalls } from '../admin-call.ts';
import { adminKeyOption, readAdminKey } from '../admin-key.ts';
import type { Act, Answer } from '../answer.ts';
import { parseChainId } from '../arguments.ts';
import { requireForwarders } from '../delegates.ts';
import type { Desk } from '../desk.ts';
import { LanePausedError } from '../errors.ts';
import { type MissingStep, missingSteps } from '../missing-steps.ts';
import { nextSigner } from '../next-signer.ts';
import { offeredChain } from '../offered-chain.ts';
import { removalCalls } from '../removal-calls.ts';
import { rotatedAnswer, unreadyAnswer } from '../rotation-answer.ts';
import { servedForwarders } from '../served-forwarders.ts';

interface Options {
  readonly chain: number;
  readonly adminKeyFile?: string;
  readonly wait?: true;
}

const description =
  'Replace the key that sends for the forwarders of a chain. Makes a new key and says what it needs on the chain; run ' +
  'again, it switches to that key as soon as all is there.';

export function signerRotate(group: Command, act: Act): void {
  group
    .command('rotate')
    .description(description)
    .requiredOption('--chain <id>', 'the chain', parseChainId)
    .option(...adminKeyOption)
    .option('--wait', 'until all is there, instead of exit code 3')
    .action((options: Options) => {
      const admin = readAdminKey(options.adminKeyFile);
      return act((desk) => rotate(desk, options, admin));
    });
}

async function rotate(desk: Desk, options: Options, admin: PrivateKeyAccount | undefined): Promise<Answer> {
  const { chain: chainId, wait } = options;
  const settings = await offeredChain(desk, chainId);
  requireForwarders(settings);
  const services = await desk.services();
  await requireNoPause(services, chainId);
  const forwarders = await servedForwarders(services, settings);
  const chain = services.chain(chainId);
  const signer = await nextSigner(desk, services, chainId);
  const look = () => missingSteps(chain, signer.address, forwarders);
  let missing = await look();
  const sent = admin ? await sendAdminCalls(chain, admin, callsOf(missing)) : [];
  while (wait && missing.length > 0) {
    await desk.wait(settings.blockTimeSeconds);
    missing = await look();
  }
  if (missing.length > 0) return unreadyAnswer({ chainId, signer, missing, sent });
  const signers = await activateSigner(services, chainId, signer);
  const draining = signers.filter(({ state }) => state === 'draining');
  const calls = await Promise.all(draining.map((one) => removalCalls(chain, one.address, forwarders)));
  return rotatedAnswer({ chainId, signer, sent, signers, calls: calls.flat() });
}

/** The new key's lane would send at once, whatever the old one was paused for. @throws LanePausedError */
async function requireNoPause(services: Services, chainId: number): Promise<void> {
  const active = (await chainSigners(services, chainId)).find(({ state }) => state === 'active');
  const state = active && (await findLaneState(services.records, laneName(chainId, active.address)));
  if (state?.paused !== undefined) throw new LanePausedError(state.lane, state.paused);
}

function callsOf(missing: readonly MissingStep[]) {
  return missing.flatMap((step) => (step.step === 'addOperator' ? [step.call] : []));
}
