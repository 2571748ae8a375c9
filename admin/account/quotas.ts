import type { Account } from './connect-account.ts';

/** An AWS quota that limits the service. */
export interface Quota {
  readonly name: string;
  readonly service: 'lambda' | 'states';
  readonly code: string;
  readonly value: number;
  /** Below this value, AWS throttles normal load. */
  readonly least: number;
  /** Value to request. */
  readonly wanted: number;
}

/** Quota of functions that run at once. New accounts have ten. */
export const readConcurrency = async (account: Account): Promise<Quota> => ({
  ...{ name: 'concurrent functions', service: 'lambda', code: 'L-B99A9384' },
  ...{ value: await account.concurrentExecutions(), least: 100, wanted: 1_000 },
});

const rateNames = {
  'starts a second': /StartExecution.*refill/i,
  'state transitions a second': /transition.*refill/i,
};

/**
 * Reads the quotas for rates of Step Functions. A quota is `undefined` if Service Quotas shows no applied value.
 * @param least requests a second that the API accepts
 */
export async function readRates(account: Account, least: number): Promise<[string, Quota | undefined][]> {
  const quotas = await account.quotas('states');
  return Object.entries(rateNames).map(([name, regex]) => {
    const found = quotas.find((quota) => regex.test(quota.name));
    return [name, found && { ...found, name, service: 'states', least, wanted: 2 * least }];
  });
}

export const isLow = ({ value, least }: Quota): boolean => value < least;
