import { fieldList } from 'imprimatur-terminal/text';
import { type AuthorityEvent, isoTime } from 'imprimatur-verifier';
import type { Doer, ToldEvent } from './told-events.ts';

const doerWords = { other: 'not by the service', unknown: 'seen' } as const;
const stateWords = { final: 'final', notFinal: 'not final yet', undone: 'not there any more' } as const;

function what({ kind, attestationIndex, delegateAddress }: AuthorityEvent): string {
  if (kind === 'delegation')
    return BigInt(delegateAddress ?? 0) === 0n ? 'the delegation is revoked' : 'a delegation';
  const named = { attestation: 'is made', revocation: 'is revoked', link: 'is linked' }[kind];
  return `attestation ${attestationIndex} ${named}`;
}

/** Formats an event for a person: what was done and when, and where it is. */
export function eventText({ event, state }: ToldEvent, doer: Doer): string {
  const { block, transaction, registryAddress, delegateAddress, contentCid, childCid } = event;
  const who = state === 'undone' ? 'undone by a reorganisation' : doerWords[doer];
  const fields = {
    ...(delegateAddress && BigInt(delegateAddress) !== 0n ? { to: delegateAddress } : {}),
    ...(contentCid ? { content: contentCid } : {}),
    ...(childCid === undefined ? {} : { successor: childCid ?? 'none' }),
    registry: registryAddress,
    block: `${block.number}, ${stateWords[state]}`,
    transaction,
  };
  return `${isoTime(block.timestamp)}  ${who}: ${what(event)}\n${fieldList(fields).replaceAll(/^/gm, '  ')}\n`;
}

/** The event for scripts: one object in a line. */
export function eventJson({ event, state }: ToldEvent, doer: Doer): object {
  const { block, ...fields } = event;
  return { ...{ by: doer, state, time: isoTime(block.timestamp), block: block.number }, ...fields };
}
