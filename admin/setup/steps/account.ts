import { isLow, type Quota, readConcurrency, readRates } from '../../account/quotas.ts';
import { done, type Finding, type Setup, type Step } from '../step.ts';

const onlyAws = done('not needed on an emulator');

/** A step that an emulator does not need. */
const onAws = (name: string, look: Step['look']): Step => ({
  name,
  look: async (setup) => (setup.account.target.kind === 'local' ? onlyAws : look(setup)),
});

const bootstrap = onAws('CDK bootstrap', async ({ account, changes, environment }) => {
  const version = await account.bootstrapVersion();
  if (version !== undefined) return done(`version ${version}`);
  return {
    ...{ state: 'to do', text: 'a bucket and roles with which the CDK deploys', cost: 'cents a month' },
    act: () => changes.bootstrap(environment),
  };
});

const loggingRole = onAws('logging role of API Gateway', async ({ account, changes }) => {
  const role = await account.loggingRole();
  if (role !== undefined) return done(role);
  return {
    state: 'to do',
    text: 'an IAM role with which API Gateway writes logs in this Region',
    act: changes.createLoggingRole,
  };
});

async function lowQuotas({ account, environment }: Setup): Promise<Quota[]> {
  const [concurrency, rates] = await Promise.all([
    readConcurrency(account),
    readRates(account, environment.settings.throttle.ratePerSecond),
  ]);
  const low = [concurrency, ...rates.flatMap(([, rate]) => rate ?? [])].filter(isLow);
  const requested = await Promise.all(low.map((quota) => account.hasQuotaRequest(quota.service, quota.code)));
  return low.filter((_, position) => !requested[position]);
}

/** The service works without higher quotas, so AWS's refusal does not stop setup. @throws any other error */
function unchecked(error: unknown): Finding {
  const { name, $fault: fault } = error as Error & { readonly $fault?: string };
  if (fault !== 'client') throw error;
  return done(`not checked: ${/AccessDenied/.test(name) ? 'access denied' : name}; see Service Quotas`);
}

/** AWS takes about a day for a request, and nothing waits for it. A run asks AWS once. */
function quotasStep(): Step {
  let ended: Finding | undefined;
  return onAws('quotas', async (setup) => {
    if (ended) return ended;
    const low = await lowQuotas(setup).catch(unchecked);
    if ('state' in low) return low;
    if (low.length === 0) return done('high enough, or requested');
    const request = async () => {
      for (const { service, code, wanted } of low) await setup.changes.requestQuota(service, code, wanted);
      return done('requested');
    };
    const text = `requests to AWS: ${low.map(({ wanted, name }) => `${wanted} ${name}`).join(', ')}`;
    const act = async () => {
      ended = await request().catch(unchecked);
    };
    return { state: 'to do', text, act };
  });
}

export const accountSteps = (): readonly Step[] => [bootstrap, loggingRole, quotasStep()];
