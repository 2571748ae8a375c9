import type { Fields } from '../../../functions/domain/records.ts';
import type { Written } from './written.ts';

/** Fields that stay as they were at acceptance. */
const fixed = ['digest', 'salt', 'authorityAddress', 'registryAddress', 'delegateAddress', 'createdAt'];

/** Phases that no transaction changes any more, as long as nothing final is undone. */
const ends = ['final', 'unneeded', 'refused'];

const allowed: Readonly<Record<string, readonly unknown[]>> = {
  pending: ['pending', 'committed', 'confirmed', 'failed'],
  committed: ['committed', 'confirmed', 'failed'],
  confirmed: ['confirmed'],
  failed: ['failed'],
};

/** Finds the violations in a write to an attestation, on a chain that never undid a final block or that did. */
export function rowViolations({ key, before, after }: Written, undidFinal: boolean): string[] {
  if (before?.contentCid === undefined) return [];
  if (!after) return [`attestation ${key.sk} is gone`];
  const wrong = [
    ...(allowed[String(before.status)]?.includes(after.status) ? [] : ['status']),
    ...fixed.filter((name) => before[name] !== after[name]),
    ...(before.attestationIndex === undefined || undidFinal
      ? []
      : changed(['attestationIndex', 'confirmedAt'], before, after)),
    ...(after.status === 'failed' && !after.error ? ['error'] : []),
    ...['commitPhase', 'revealPhase', 'linkPhase'].filter((name) => before[name] && !after[name]),
    ...['commitPhase', 'revealPhase'].filter(
      (name) => !undidFinal && ends.includes(String(before[name])) && before[name] !== after[name],
    ),
  ];
  return wrong.map((name) => `${name} of attestation ${key.sk}: ${before[name]} became ${after[name]}`);
}

function changed(names: readonly string[], before: Fields, after: Fields): string[] {
  return names.filter((name) => before[name] !== after[name]);
}
