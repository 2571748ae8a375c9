import * as z from 'zod';
import { ChainUnservedError, RefusedError } from './errors.ts';
import { chainSettingsSchema, type Settings } from './settings.ts';

const {
  maxFeePerGasGwei,
  minPriorityFeeGwei,
  dailyFeeBudget,
  maxTransactionFee,
  organizationDailyFeeBudget,
} = chainSettingsSchema.shape;

/** What operators may change without a deployment: fees. Other settings decide what is signed or promised. */
const changeable = {
  maxFeePerGasGwei: maxFeePerGasGwei.unwrap().exactOptional(),
  minPriorityFeeGwei: minPriorityFeeGwei.unwrap().exactOptional(),
  dailyFeeBudget: dailyFeeBudget.unwrap().exactOptional(),
  maxTransactionFee: maxTransactionFee.unwrap().exactOptional(),
  organizationDailyFeeBudget: organizationDailyFeeBudget.unwrap().exactOptional(),
};

export type ChangeableName = keyof typeof changeable;

export const changeableNames = Object.keys(changeable) as readonly ChangeableName[];

/** Changes by chain id. Unknown fields are kept, without effect: a newer version may have stored them. */
export const settingsChangesSchema = z.looseObject({
  chains: z.record(z.string().regex(/^[1-9]\d*$/), z.looseObject(changeable)),
});

const knownChanges = z.object(changeable).default({});

/** Changes of the settings that operators made since the deployment, or before it: a deployment keeps them. */
export type SettingsChanges = z.output<typeof settingsChangesSchema>;

export const noChanges: SettingsChanges = { chains: {} };

/** Name of the SSM parameter that has the changes, from that of the parameter with the deployed settings. */
export function changesParameter(settingsParameter: string): string {
  return `${settingsParameter}-changes`;
}

/** The settings in force: those deployed, with the changes. Changes of a chain that is not served are of no effect. */
export function settingsInForce(deployed: Settings, { chains: changes }: SettingsChanges): Settings {
  const chains = deployed.chains.map((chain) => ({
    ...chain,
    ...knownChanges.parse(changes[chain.chainId]),
  }));
  return { ...deployed, chains };
}

export type AskedChanges = { readonly [Name in ChangeableName]?: number | 'default' };

/** The changes with those of one chain that an operator asks for, checked as a deployment checks the settings. */
export function withChanges(
  deployed: Settings,
  { chains, ...newer }: SettingsChanges,
  chainId: number,
  asked: AskedChanges,
): SettingsChanges {
  const chain = deployed.chains.find((one) => one.chainId === chainId);
  if (!chain) throw new ChainUnservedError(chainId);
  const all = Object.entries({ ...chains[chainId], ...asked });
  const changes = Object.fromEntries(all.filter(([, value]) => value !== 'default'));
  const known = Object.entries(changes).filter(([name]) => name in changeable);
  const checked = chainSettingsSchema.safeParse({ ...chain, ...Object.fromEntries(known) });
  if (!checked.success) {
    const issues = checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new RefusedError(issues.join('; '));
  }
  const { [chainId]: _, ...others } = chains;
  const isChanged = Object.keys(changes).length > 0;
  return settingsChangesSchema.parse({
    ...newer,
    chains: isChanged ? { ...others, [chainId]: changes } : others,
  });
}
