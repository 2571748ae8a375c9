import type { Organization } from '../../../functions/domain/organization/organization.ts';
import type { Settings } from '../../../functions/domain/settings.ts';

/** A limit and its origin: this organisation's own record, or the settings. */
export interface LimitInForce {
  readonly value: number;
  readonly from: 'organisation' | 'settings';
}

/** Limits of an organisation, with those of the settings where it has none of its own. */
export function limitsInForce(
  { limits: own = {} }: Organization,
  { limits: general }: Settings,
): { attestationsPerDay: LimitInForce; inFlight: LimitInForce } {
  return {
    attestationsPerDay: limitInForce(own.attestationsPerDay, general.attestationsPerDay),
    inFlight: limitInForce(own.inFlight, general.inFlight),
  };
}

function limitInForce(own: number | undefined, general: number): LimitInForce {
  return own === undefined ? { value: general, from: 'settings' } : { value: own, from: 'organisation' };
}

export function limitText({ value, from }: LimitInForce): string {
  return `${value} (${from === 'settings' ? "the settings' default" : 'for this organisation'})`;
}
