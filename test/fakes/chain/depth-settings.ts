import type { ChainSettings } from '../../../functions/domain/settings.ts';

/** Settings of a chain whose blocks are final at a depth. */
export type DepthSettings = ChainSettings & { readonly confirmations: number };

const isByDepth = (settings: ChainSettings): settings is DepthSettings =>
  settings.confirmations !== 'finalized';

/** Checks the settings of a fake chain, which tests make final by mining. */
export function byDepth(settings: ChainSettings): DepthSettings {
  if (!isByDepth(settings)) throw new Error('a fake chain is final by depth');
  return settings;
}
