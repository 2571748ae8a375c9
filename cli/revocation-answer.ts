import type { Address, Hash } from 'viem';
import { type AdminCall, adminCallText } from './admin-call.ts';
import type { Answer } from './answer.ts';
import { type MissingStep, missingStepText } from './missing-steps.ts';

export interface Revocation {
  readonly chainId: number;
  readonly address: Address;
  /** Who sends from now on; `null` when nobody does. */
  readonly active: Address | null;
  /** What the forwarders' admin has to do. */
  readonly calls: readonly AdminCall[];
  /** The admin's transactions, if they were sent already. */
  readonly sent: readonly Hash[];
  /** Why the admin's transactions could not be sent, if so. */
  readonly refusal: string | null;
  /** What the active signer lacks on the chain. */
  readonly missing: readonly MissingStep[];
  /** Authorities may have delegated to the key itself. */
  readonly isDelegate: boolean;
}

export function revocationAnswer(revocation: Revocation): Answer {
  return {
    json: { ...revocation },
    text: [revoked(revocation), ...toDo(revocation), ...lacking(revocation)].join('\n'),
  };
}

function revoked({ chainId, address, active }: Revocation): string {
  const next =
    active === null
      ? `nobody sends on chain ${chainId} now; add a signer with signer rotate`
      : `${active} goes on`;
  return `${address} signs nothing new on chain ${chainId}: ${next}.`;
}

function toDo({ address, calls, sent, refusal, isDelegate }: Revocation): string[] {
  const authorities = [
    `Authorities that delegate to ${address} have to revoke or change their delegation.`,
    "Take `key` out of the chain's `delegates` in the settings, name a forwarder there, and deploy.",
  ];
  const refused = refusal === null ? [] : [`The admin's transaction was not sent: ${refusal}.`];
  return [...(isDelegate ? authorities : []), ...refused, ...forwarderLines(calls, sent)];
}

function forwarderLines(calls: readonly AdminCall[], sent: readonly Hash[]): string[] {
  if (sent.length > 0) return sent.map((hash) => `The admin's transaction was sent: ${hash}`);
  if (calls.length === 0) return [];
  return ['Whoever has the key can use it until this is done:', ...calls.map(adminCallText)];
}

function lacking({ active, missing }: Revocation): string[] {
  if (missing.length === 0) return [];
  return [`${active} cannot send as it is:`, ...missing.map(missingStepText)];
}
