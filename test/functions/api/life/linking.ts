import { handler } from '../../../../functions/api/link-child.ts';
import type { World } from '../../../fakes/world/world.ts';
import { type Answer, type Asking, ask } from './answers.ts';
import { limitedUntilTomorrow, refresh } from './foretell-creation.ts';
import { type Body, findRow, type LifeModel, type Publisher, type Row } from './life-model.ts';
import { missing } from './reading.ts';

const wellFormed = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const refusal = (status: number, error: string): Answer => ({ status, body: { error } });

const same = refusal(400, 'childAttestationId must differ from the attestation id');

const malformedChild: Answer = {
  status: 400,
  body: { error: 'invalid request', issues: [{ path: ['childAttestationId'], message: 'must be a UUID' }] },
};

/** Whether the link intent stands already, on-chain or on its way there. */
function isIntended({ body }: Row, childId: string): boolean {
  return body.childAttestationId === childId && body.childLinkError === undefined;
}

function linkIntent(row: Row, childId: string): Body {
  const { childLinkError: _, ...body } = row.body;
  return { ...body, childAttestationId: childId, childLinkTxHash: null };
}

/** The order of the checks: body, self link, attestation in the path, child, status. */
function foretellLink(
  model: LifeModel,
  world: World,
  publisher: Publisher,
  [id, childId]: readonly [string, string],
): Answer {
  if (!wellFormed.test(childId)) return malformedChild;
  if (!wellFormed.test(id)) return missing;
  if (id.toLowerCase() === childId.toLowerCase()) return same;
  const [row, child] = [findRow(publisher, id), findRow(publisher, childId)];
  if (!row) return missing;
  if (!child) return refusal(404, 'childAttestationId not found');
  if (row.body.status !== 'confirmed') {
    return refusal(409, `attestation not yet confirmed (status ${row.body.status})`);
  }
  const intended = String(child.body.id);
  if (isIntended(row, intended))
    return { status: row.body.childLinkTxHash === null ? 202 : 200, body: row.body };
  // Of the chain and of the limits it is asked at the same time: what the chain shows is kept in any case.
  refresh(model, world, publisher, row);
  const today = world.clock.now().toISOString().slice(0, 10);
  const linkedToday = publisher.linkDays.filter((day) => day === today).length;
  if (linkedToday >= publisher.limits.linksPerDay) return limitedUntilTomorrow(world);
  publisher.linkDays.push(today);
  row.body = linkIntent(row, intended);
  return { status: 202, body: row.body };
}

export async function link(
  model: LifeModel,
  world: World,
  asking: Asking,
  [id, childId]: readonly [string, string],
): Promise<void> {
  const body = { childAttestationId: childId };
  const foretell = () => foretellLink(model, world, asking.publisher, [id, childId]);
  await ask(asking, handler, { id, body }, foretell);
}

/** Whether the lane still owes the link that was asked for last. */
export function owesLink({ body }: Row): boolean {
  const { childAttestationId, childLinkTxHash, childLinkError } = body;
  return childAttestationId !== null && childLinkTxHash === null && childLinkError === undefined;
}
