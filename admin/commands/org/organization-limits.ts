import type { Organization } from '../../../functions/domain/organization/organization.ts';
import type { Settings } from '../../../functions/domain/settings.ts';

/** A limit, and who set it: for this organisation alone, or the settings for all. */
export interface LimitInForce {
  readonly value: number;
  readonly from: 'organisation' | 'settings';
}

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
