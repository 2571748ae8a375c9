import type { Account } from '../../account/connect-account.ts';
import { done, type Finding, type Step } from '../step.ts';

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
  return { state: 'to do', text: 'an IAM role for the whole Region', act: changes.createLoggingRole };
});

interface Quota {
  readonly name: string;
  readonly service: 'lambda' | 'states';
  readonly code: string;
  readonly value: number;
}

/** The first value throttles the service. The second is what setup requests. */
const [leastConcurrency, requestedConcurrency] = [100, 1_000];
const [leastRate, requestedRate] = [100, 200];

async function lowQuotas(account: Account): Promise<Quota[]> {
  const [concurrency, ofStates] = await Promise.all([
    account.concurrentExecutions(),
    account.quotas('states'),
  ]);
  const code = 'L-B99A9384';
  const functions = { name: 'concurrent functions', service: 'lambda', code, value: concurrency } as const;
  const rates = ofStates.filter(({ name }) => /(StartExecution|transition).*refill/i.test(name));
  const low = [
    ...(concurrency < leastConcurrency ? [functions] : []),
    ...rates
      .filter(({ value }) => value < leastRate)
      .map((rate) => ({ ...rate, service: 'states' as const })),
  ];
  const requested = await Promise.all(low.map((quota) => account.hasQuotaRequest(quota.service, quota.code)));
  return low.filter((_, position) => !requested[position]);
}

const wanted = ({ service }: Quota) => (service === 'lambda' ? requestedConcurrency : requestedRate);

/** The service works without higher quotas, so AWS's refusal does not stop setup. @throws any other error */
function unchecked(error: unknown): Finding {
  const { name, $fault: fault } = error as Error & { readonly $fault?: string };
  if (fault !== 'client') throw error;
  return done(`not checked: ${/AccessDenied/.test(name) ? 'access denied' : name}; see Service Quotas`);
}

/** AWS takes about a day for a request, and nothing waits for it. A run asks AWS once. */
function quotasStep(): Step {
  let ended: Finding | undefined;
  return onAws('quotas', async ({ account, changes }) => {
    if (ended) return ended;
    const low = await lowQuotas(account).catch(unchecked);
    if ('state' in low) return low;
    if (low.length === 0) return done('high enough, or requested');
    const request = async () => {
      for (const quota of low) await changes.requestQuota(quota.service, quota.code, wanted(quota));
      return done('requested');
    };
    const text = `requests to AWS: ${low.map((quota) => `${wanted(quota)} ${quota.name}`).join(', ')}`;
    const act = async () => {
      ended = await request().catch(unchecked);
    };
    return { state: 'to do', text, act };
  });
}

export const accountSteps = (): readonly Step[] => [bootstrap, loggingRole, quotasStep()];
