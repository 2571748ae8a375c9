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

/** Settings that operators may change without a deployment: fees. Other settings decide what is signed or promised. */
const changeable = {
  maxFeePerGasGwei: maxFeePerGasGwei.unwrap().exactOptional(),
  minPriorityFeeGwei: minPriorityFeeGwei.unwrap().exactOptional(),
  dailyFeeBudget: dailyFeeBudget.unwrap().exactOptional(),
  maxTransactionFee: maxTransactionFee.unwrap().exactOptional(),
  organizationDailyFeeBudget: organizationDailyFeeBudget.unwrap().exactOptional(),
};

export type ChangeableName = keyof typeof changeable;

export const changeableNames = Object.keys(changeable) as readonly ChangeableName[];

/** Changes by chain ID. Unknown fields are kept without effect, because a newer version may have stored them. */
export const settingsChangesSchema = z.looseObject({
  chains: z.record(z.string().regex(/^[1-9]\d*$/), z.looseObject(changeable)),
});

const knownChanges = z.object(changeable).default({});

/** Changes that operators made to the settings. A deployment keeps them. */
export type SettingsChanges = z.output<typeof settingsChangesSchema>;

export const noChanges: SettingsChanges = { chains: {} };

/** Path of the SSM parameters with the RPC URLs of each chain, which operators store. */
export const rpcUrlsPath = (stackName: string): string => `/${stackName}/rpc-urls`;

export function changesParameter(settingsParameter: string): string {
  return `${settingsParameter}-changes`;
}

/** Applies the changes to the deployed settings. Changes of chains that are not served have no effect. */
export function applyChanges(deployed: Settings, { chains: changes }: SettingsChanges): Settings {
  const chains = deployed.chains.map((chain) => ({
    ...chain,
    ...knownChanges.parse(changes[chain.chainId]),
  }));
  return { ...deployed, chains };
}

export type RequestedChanges = { readonly [Name in ChangeableName]?: number | 'default' };

/** Adds an operator's changes of one chain, validated like the settings of a deployment. */
export function addChanges(
  deployed: Settings,
  { chains, ...newer }: SettingsChanges,
  chainId: number,
  requested: RequestedChanges,
): SettingsChanges {
  const chain = deployed.chains.find((each) => each.chainId === chainId);
  if (!chain) throw new ChainUnservedError(chainId);
  const all = Object.entries({ ...chains[chainId], ...requested });
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
