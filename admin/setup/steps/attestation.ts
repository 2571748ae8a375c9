import { type ConfirmedAttestation, ImprimaturClient, RefusalError, referenceOf } from 'imprimatur-client';
import { verify } from 'imprimatur-verifier';
import { formatGwei } from 'viem';
import { gweiToWei } from '../../../functions/domain/amounts.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { emulatorApiUrl } from '../../../lib/emulators.ts';
import type { Account } from '../../account/connect-account.ts';
import { chainOf } from '../../deployment/served-chain.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import { apiKeyIn } from '../changes.ts';
import { done, later, type Setup, type Step } from '../step.ts';

/** URL of the deployed API; `undefined` before the first deployment. */
export async function apiUrlOf({ target, stack }: Account): Promise<string | undefined> {
  const url = (await stack())?.outputs.ApiUrl;
  return url !== undefined && target.kind === 'local' ? emulatorApiUrl(target.endpointUrl, url) : url;
}

/** A client of the deployed API with the key of this setup. */
async function connectApi({ account, directory }: Setup): Promise<ImprimaturClient | undefined> {
  const [url, apiKey] = [await apiUrlOf(account), apiKeyIn(directory)];
  if (url === undefined || apiKey === undefined) return undefined;
  return new ImprimaturClient({ url, apiKey, timeoutSeconds: 60 });
}

/** Finds a confirmed attestation of the organization, if the API key already exists. */
export async function findConfirmed(setup: Setup): Promise<ConfirmedAttestation | undefined> {
  const client = await connectApi(setup);
  const page = await client?.list({ status: 'confirmed', limit: 1 }).catch((error: unknown) => {
    if (error instanceof RefusalError && error.status === 401) return undefined;
    throw error;
  });
  return page?.attestations[0] as ConfirmedAttestation | undefined;
}

export const attestationStep = (chain: ChainSettings): Step => ({
  name: 'first attestation',
  needsAll: true,
  look: async (setup) => {
    const client = await connectApi(setup);
    const confirmed = client && (await findConfirmed(setup));
    if (confirmed) return done(`${confirmed.id} is confirmed`);
    const text = 'a first text, from the request to its confirmation';
    const cost = '160,000 gas';
    const reason = await reasonToWait(setup, chain);
    if (!client) return later(reason ?? text, cost);
    if (reason !== undefined) {
      const command = `npm run admin -- settings set maxFeePerGasGwei=GWEI --chain ${chain.chainId}`;
      return { state: 'waiting', text: reason, instructions: `Wait for a lower fee, or run ${command}.` };
    }
    const act = async () => setup.changes.attest(client, await setup.answers.article(), chain);
    return { state: 'to do', text, cost, act };
  },
});

/** The service sends nothing while fees exceed the cap. */
async function reasonToWait(setup: Setup, chain: ChainSettings): Promise<string | undefined> {
  const changed = await (await setup.deployment())?.settings();
  const { maxFeePerGasGwei: cap } = changed ? chainOf(changed.chains, chain.chainId) : chain;
  const { client } = await setup.chain(chain);
  const price = await client.getGasPrice();
  if (price <= gweiToWei(cap)) return undefined;
  return `attestations wait while a fee of ${formatGwei(price)} gwei on ${chain.name} exceeds maxFeePerGasGwei, ${cap}`;
}

/** Verifies the attestation with data from the chain only. */
export const verificationStep: Step = {
  name: 'verification',
  look: async (setup) => {
    const confirmed = await findConfirmed(setup);
    if (!confirmed) return later('with data from the chain only');
    const reference = referenceOf(confirmed);
    const { urls } = await setup.chain(chainOf(setup.environment.settings.chains, confirmed.chainId));
    const { outcome, reason } = await verify(reference, { providers: urls });
    if (outcome === 'verified' || outcome === 'superseded') return done(`${outcome}: ${reference}`);
    throw new CommandFailedError(`the verification returns ${outcome}: ${reason}`);
  },
};
