import fc from 'fast-check';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../../../functions/domain/attestation/content-cid.ts';
import type { World } from '../../../fakes/world/world.ts';
import { publisherAt } from './answers.ts';
import { text, who } from './choices.ts';
import { command, isReachable, often, told } from './command.ts';
import { registered } from './foretell-creation.ts';
import { type Publisher, standingRow } from './life-model.ts';
import { setReach } from './work.ts';

/** What was done is final, and no later than it is. */
function settleChain({ chain, clock }: World): void {
  for (let block = 0; block < chain.settings.confirmations; block++) chain.mine();
  clock.moveTo(new Date(chain.newest.timestamp * 1000));
}

/** The authority acts for itself: attests what the service has not, or revokes what it attested. */
export function actAlone(world: World, publisher: Publisher, content: string): void {
  const { chain } = world;
  const { authorityAddress } = publisher;
  const { attestationIndex, revoked } = registered(world, publisher, content);
  const digest = contentDigest(parseContent(content));
  if (attestationIndex > 0 && !revoked) chain.revokeAttestation(authorityAddress, attestationIndex);
  else if (attestationIndex === 0 && !standingRow(publisher, content)) chain.attest(authorityAddress, digest);
  settleChain(world);
}

function turnDelegation(world: World, publisher: Publisher): void {
  publisher.delegates = !publisher.delegates;
  if (publisher.delegates) world.chain.delegate(publisher.authorityAddress, world.delegateAddress);
  else world.chain.revokeDelegation(publisher.authorityAddress);
  settleChain(world);
}

/** What happens to the chain, and what authorities do there. */
export const chainCommands = [
  often(
    2,
    fc.constant(
      command('the chain is out of reach, or back', (model, world) =>
        setReach(model, world, !model.reachable),
      ),
    ),
  ),
  // It comes back sooner than it goes.
  often(
    2,
    fc.constant(
      command(
        'the chain is back',
        (model, world) => setReach(model, world, true),
        (model) => !isReachable(model),
      ),
    ),
  ),
  often(
    2,
    who.map((number) =>
      command(`delegate, or revoke it ${number}`, (model, world) =>
        turnDelegation(world, publisherAt(model, number)),
      ),
    ),
  ),
  often(
    3,
    fc
      .tuple(who, text)
      .map(([number, content]) =>
        command(`attest or revoke without the service ${told([number, content])}`, (model, world) =>
          actAlone(world, publisherAt(model, number), content),
        ),
      ),
  ),
];
