import { expect } from 'vitest';
import type { AttestationKey } from '../../../../functions/domain/attestation/attestation.ts';
import { AlreadyAttestedError, AttestationFailedError } from '../../../../functions/domain/errors.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { failStep } from '../../../../functions/domain/steps/fail.ts';
import { revealStep } from '../../../../functions/domain/steps/reveal.ts';
import { tick } from '../../../fakes/world/steps.ts';
import { chainId, type World } from '../../../fakes/world/world.ts';
import { registered } from './foretell-creation.ts';
import type { Body, LifeModel, Publisher, Row } from './life-model.ts';
import { owesLink } from './linking.ts';

const txHash = expect.stringMatching(/^0x[0-9a-f]{64}$/);

/** Far more than all that a life queues takes. */
const mostBlocks = 500;

function keyOf({ organizationId }: Publisher, { body }: Row): AttestationKey {
  return { organizationId, id: String(body.id) };
}

function delegationError(world: World, { authorityAddress }: Publisher, again: string): string {
  const delegation = `delegation of ${authorityAddress} to ${world.delegateAddress} on chain ${chainId}`;
  return `${delegation} is not active; delegate again and ${again}`;
}

export function setReach(model: LifeModel, world: World, reachable: boolean): void {
  model.reachable = reachable;
  world.chain.unreachable = !reachable;
}

/** Mines blocks and runs ticks until the lane owes nothing; links settle on the way. */
export async function workLane(model: LifeModel, world: World): Promise<void> {
  for (let block = 0; block < mostBlocks; block++) {
    await tick(world);
    if (!(await world.owes())) break;
    world.mine();
  }
  expect(await world.owes()).toBe(false);
  for (const publisher of model.publishers) {
    for (const row of publisher.rows.filter(owesLink))
      row.body = { ...row.body, ...linked(world, publisher) };
  }
}

function linked(world: World, publisher: Publisher): Body {
  if (publisher.delegates) return { childLinkTxHash: txHash };
  return { childLinkError: delegationError(world, publisher, 'post the link again') };
}

function failed(world: World, publisher: Publisher): Body {
  return { status: 'failed', error: delegationError(world, publisher, 'submit the content again') };
}

/** What the registry holds without us is confirmed, and says so if the authority revoked it there. */
function attested(world: World, publisher: Publisher, { text }: Row): Body {
  return { status: 'confirmed', ...registered(world, publisher, text).shown };
}

async function commit(world: World, publisher: Publisher, row: Row): Promise<Body> {
  try {
    await commitStep(world.services, { ...keyOf(publisher, row), taskToken: 'commit' });
    return { status: 'committed', commitTxHash: txHash };
  } catch (error) {
    if (error instanceof AttestationFailedError) return failed(world, publisher);
    if (!(error instanceof AlreadyAttestedError)) throw error;
    await confirmStep(world.services, keyOf(publisher, row));
    return attested(world, publisher, row);
  }
}

/** The next state of an attestation's workflow, and all that follows from it on the chain. */
export async function workAttestation(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  row: Row,
): Promise<void> {
  const key = keyOf(publisher, row);
  // So that the final block is later than the row.
  world.mine(world.chain.settings.confirmations);
  if (row.body.status === 'pending') {
    const change = await commit(world, publisher, row);
    await workLane(model, world);
    row.body = { ...row.body, ...change };
  } else if (row.body.status === 'committed') {
    world.mine(world.chain.settings.revealDelaySeconds);
    await revealStep(world.services, { ...key, taskToken: 'reveal' });
    await workLane(model, world);
    if (publisher.delegates) await confirmStep(world.services, key);
    row.body = {
      ...row.body,
      ...(publisher.delegates ? revealed(world, publisher, row) : failed(world, publisher)),
    };
  }
}

function revealed(world: World, publisher: Publisher, row: Row): Body {
  const { shown } = registered(world, publisher, row.text);
  return { status: 'confirmed', revealTxHash: txHash, ...shown };
}

/** What the Fail state does when nobody knows better. */
export async function fail(world: World, publisher: Publisher, row: Row): Promise<void> {
  const key = keyOf(publisher, row);
  const executionName = `${key.id}-1`;
  await failStep(world.services, { ...key, error: 'an internal cause', executionName });
  const error = `internal error (reference ${executionName}); submit the content again`;
  row.body = { ...row.body, status: 'failed', error };
}
