import type { Settings } from '../../domain/settings.ts';

/** The settings of the function. Every deployment checks them fully. */
export function deployedSettings(): Partial<Settings> {
  return JSON.parse(process.env.SETTINGS || '{}');
}
