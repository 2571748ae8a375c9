import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { encodeFunctionData, isAddressEqual } from 'viem';
import { apiKeyHash, listApiKeys } from '../../../functions/domain/organization/api-keys.ts';
import { listOrganizations, type Organization } from '../../../functions/domain/organization/organization.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { readDelegation } from '../../commands/delegation/read-delegation.ts';
import type { Deployment } from '../../deployment/connect.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import { apiKeyIn, apiKeyPath } from '../changes.ts';
import { done, later, type Setup, type Step } from '../step.ts';

/** The oldest organization, which is setup's own in a new deployment. */
async function firstOrganization({ records }: Deployment): Promise<Organization | undefined> {
  const [first] = await listOrganizations(records);
  return first;
}

export const organizationStep = (chain: ChainSettings): Step => ({
  name: 'organization',
  look: async ({ deployment: connect, answers, changes }) => {
    const deployment = await connect();
    const first = deployment && (await firstOrganization(deployment));
    if (first) return done(`${first.name} (${first.id}), authority ${first.authorityAddress}`);
    const organization = await answers.organization();
    const text = `${organization.name}, authority ${organization.authority}`;
    if (!deployment) return later(text);
    const act = () => changes.createOrganization(deployment, organization, chain.chainId);
    return { state: 'to do', text, act };
  },
});

export const apiKeyStep = (chain: ChainSettings): Step => ({
  name: 'API key',
  look: async ({ deployment: connect, changes, directory }) => {
    const path = apiKeyPath(directory);
    const deployment = await connect();
    const organization = deployment && (await firstOrganization(deployment));
    if (!organization) return later(`in ${path}, readable only by you`);
    const keys = await listApiKeys(deployment.records, organization.id);
    const id = apiKeyHash(apiKeyIn(directory) ?? '').slice(0, 32);
    const found = keys.find((key) => key.id === id);
    if (found?.revokedAt === null) return done(`${id}, in ${path}`);
    if (found) throw new CommandFailedError(`the API key in ${path} is revoked; remove the file`);
    const { id: organizationId, name } = organization;
    // The organization's keys are elsewhere, such as on another machine, or come from an earlier deployment.
    if (apiKeyIn(directory) === undefined && keys.some(({ revokedAt }) => revokedAt === null)) {
      const instructions = `Put an API key of ${name} into ${path}. To issue one, run key create --org ${organizationId}.`;
      return { state: 'waiting', text: `an API key of ${name} in ${path}`, instructions };
    }
    return {
      ...{ state: 'to do', text: `in ${path}, readable only by you` },
      act: () => changes.createKey(deployment, organizationId, chain),
    };
  },
});

const delegationCost = '50,000 gas, paid by the authority';

export const delegationStep = (settings: ChainSettings): Step => ({
  name: `delegation on ${settings.name}`,
  look: async (setup) => {
    const deployment = await setup.deployment();
    const organization = deployment && (await firstOrganization(deployment));
    if (!organization) {
      // Asks now, because no question should come after the first change.
      await authorityKey(setup, (await setup.answers.organization()).authority);
      return later('from the authority to the service', delegationCost);
    }
    const { authorityAddress } = organization;
    const delegation = await readDelegation(deployment, settings, authorityAddress);
    const { active, registryAddress, delegateAddress, expectedDelegateAddress: delegate } = delegation;
    if (active) return done(`from ${authorityAddress} to ${delegateAddress}`);
    const text = `from ${authorityAddress} to ${delegate}`;
    const from = await authorityKey(setup, authorityAddress);
    if (!from) {
      const instructions =
        `From ${authorityAddress}, call delegate(${delegate}) on ${registryAddress}, chain ${settings.chainId}: ` +
        'see docs/guides/delegate.md.';
      return { state: 'waiting', text, instructions };
    }
    const data = encodeFunctionData({ abi, functionName: 'delegate', args: [delegate] });
    const act = async () =>
      setup.changes.send(await setup.chain(settings), { from, to: registryAddress, data });
    return { state: 'to do', text, cost: delegationCost, act };
  },
});

/** @throws CommandFailedError for the key of another address */
async function authorityKey({ answers }: Setup, authority: Organization['authorityAddress']) {
  const key = await answers.authorityKey();
  if (key && !isAddressEqual(key.address, authority))
    throw new CommandFailedError(`the authority's key file is for ${key.address}, not for ${authority}`);
  return key;
}
