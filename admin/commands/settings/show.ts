import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { auditTrail, deploymentTrail } from '../../../functions/domain/organization/audit-trail.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import {
  applyChanges,
  type ChangeableName,
  changeableNames,
} from '../../../functions/domain/settings-changes.ts';
import type { CommandResult, Deployment, ToAction } from '../../deployment/command.ts';

type ShownSettings = Readonly<
  Record<ChangeableName, { readonly deployed: number | null; readonly inForce: number | null }>
>;

const description =
  'Show the settings that can change without a deployment: deployed and current values, and the latest changes.';

/** Number of changes in the text; --json has all. */
const shownChanges = 10;

export function settingsShow(group: Command, toAction: ToAction): void {
  group.command('show').description(description).action(toAction(show));
}

async function show({ settingsStore, records }: Deployment): Promise<CommandResult> {
  const [deployed, stored] = await Promise.all([settingsStore.deployed(), settingsStore.changes()]);
  const entries = await auditTrail(records, deploymentTrail);
  const inForce = applyChanges(deployed, stored.changes);
  const chains = inForce.chains.map((chain, position) => ({
    ...{ chainId: chain.chainId, name: chain.name },
    settings: compareSettings(deployed.chains[position] ?? chain, chain),
  }));
  const served = new Set(chains.map(({ chainId }) => String(chainId)));
  const unserved = Object.keys(stored.changes.chains).filter((chainId) => !served.has(chainId));
  return { json: { chains, unserved, entries }, text: settingsText(chains, unserved, entries) };
}

function compareSettings(deployed: ChainSettings, inForce: ChainSettings): ShownSettings {
  const entries = changeableNames.map((name) => [
    name,
    { deployed: deployed[name] ?? null, inForce: inForce[name] ?? null },
  ]);
  return Object.fromEntries(entries) as ShownSettings;
}

function settingsText(
  chains: readonly { readonly chainId: number; readonly settings: ShownSettings }[],
  unserved: readonly string[],
  entries: Awaited<ReturnType<typeof auditTrail>>,
): string {
  const rows = chains.flatMap(({ chainId, settings }) =>
    Object.entries(settings).map(([name, { deployed, inForce }]) => [
      ...[chainId, name, deployed, inForce],
      deployed === inForce ? '' : 'changed',
    ]),
  );
  const changed = rows.filter(([, , , , mark]) => mark !== '').length;
  const summary =
    changed === 0
      ? 'All settings are as deployed.'
      : `${changed} changed since the deployment. Deployments keep the changes. To revert one, run settings set NAME=default --chain ID.`;
  const note = (chainId: string) =>
    `Changes of chain ${chainId} apply only after a deployment that serves it.`;
  const changes = entries
    .slice(-shownChanges)
    .map(({ at, by, details }) => [at, by, JSON.stringify(details)] as const);
  return [
    table(['CHAIN', 'SETTING', 'DEPLOYED', 'IN FORCE', ''], rows),
    [summary, ...unserved.map(note)].join('\n'),
    ...(changes.length === 0 ? [] : [table(['WHEN', 'WHO', 'WHAT'], changes)]),
  ].join('\n\n');
}
