import {
  listOrganizations,
  type Organization,
} from '../../../../functions/domain/organization/organization.ts';
import type { ChainSettings, Settings } from '../../../../functions/domain/settings.ts';
import type { Deployment } from '../../../deployment/connect.ts';
import { readDelegation } from '../../delegation/read-delegation.ts';
import { notAsked, type Outcome, ok, warning } from '../report.ts';

/** Organisations whose delegation is read, and how many are read at once. */
const most = 200;
const atOnce = 10;

/** Organisations that a line names. */
const named = 5;

/** Checks who delegates on a chain. Who delegates to nobody there is only missed where requests without a chain go. */
export async function checkDelegations(
  deployment: Deployment,
  settings: ChainSettings,
  { defaultChainId }: Settings,
): Promise<Outcome> {
  const { chainId } = settings;
  const all = await listOrganizations(deployment.records);
  if (all.length === 0)
    return notAsked('there is no organisation yet', 'Run npm run admin -- org create --help');
  const organizations = all.slice(0, most);
  const active = await areActive(deployment, settings, organizations);
  const count = active.filter(Boolean).length;
  const of = all.length > most ? `the first ${most}` : `${all.length}`;
  const says = `${count} of ${of} organisations' authorities delegate to the service here`;
  const isDefault = (one: Organization) => (one.defaultChainId ?? defaultChainId) === chainId;
  const without = organizations.filter((one, position) => !active[position] && isDefault(one));
  if (without.length === 0) return ok(says);
  const names = without.slice(0, named).map(({ name, id }) => `${name} (${id})`);
  const more = without.length > named ? ` and ${without.length - named} more` : '';
  return warning(
    `${says}; it is the default chain of ${names.join(', ')}${more}, who do not`,
    `Run npm run admin -- delegation status --chain ${chainId} --org ${without[0]?.id}, and tell them.`,
  );
}

async function areActive(
  deployment: Deployment,
  settings: ChainSettings,
  organizations: readonly Organization[],
): Promise<boolean[]> {
  const active: boolean[] = [];
  for (let first = 0; first < organizations.length; first += atOnce) {
    const some = organizations.slice(first, first + atOnce);
    const read = some.map(({ authorityAddress }) => readDelegation(deployment, settings, authorityAddress));
    active.push(...(await Promise.all(read)).map((delegation) => delegation.active));
  }
  return active;
}
