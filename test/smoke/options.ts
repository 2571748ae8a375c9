import { OptionInvalidError, readOptionValues } from '../../local/terminal/option-values.ts';

export const smokeHelp = `npm run smoke -- --env NAME --rpc-urls FILE [options]
npm run smoke -- --emulator [options]

Proves in an AWS account what no emulator can. It deploys a stack of its own
beside that of the environment (its name and -Smoke, from
environments/NAME-smoke.json, which it writes), attests on the first test
chain, throttles, stops and redrives, upgrades, restores the tables, reads
logs, metrics, alarms and the access log, and destroys the stack. About an
hour. Then it prints what was proven and what was not.

  --env NAME        environment whose account, Region and chain are used
  --rpc-urls FILE   RPC URLs of the chain, one a line; they are secrets
  --chain ID        another chain of the environment
  --emulator        on a local emulator and chain, in some fifteen minutes: what
                    only AWS can show is NOT PROVEN
  --only A,B        these steps alone, after deploy and attest; destroy
                    is done all the same
  --keep            leave the stack as it is at the end
  --destroy         only remove what an earlier run left behind; waits for what
                    CloudFormation has begun
  --yes             do not ask before it begins
  --json            one JSON object on standard output; progress goes to
                    standard error
  --help            this text

IMPRIMATUR_DEPLOYER_PRIVATE_KEY is a key with 0.03 of the chain's coin: it pays
for the delegation and what the signing key spends. The account needs
cdk bootstrap and API Gateway's logging role (docs/operations.md).
An environment with a chain that is no test chain, or called production, is
refused, and so are credentials of another account, a poor key, and anything
that an earlier run left. A failure and Ctrl-C leave all as it is, and say how
to remove it.

Exit status: 0 all that was tried holds, 1 something does not, 2 wrong usage
or refused, 130 stopped.`;

export const stepNames = [
  'deploy',
  'attest',
  'throttle',
  'redrive',
  'upgrade',
  'restore',
  'logs',
  'metrics',
  'doctor',
  'destroy',
] as const;

export type StepName = (typeof stepNames)[number];

export interface SmokeOptions {
  /** Environment in AWS; without it, an emulator. */
  readonly env: string | undefined;
  readonly rpcUrlsPath: string | undefined;
  readonly chainId: number | undefined;
  readonly only: readonly StepName[];
  readonly keep: boolean;
  readonly destroyOnly: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

const options = {
  env: { type: 'string' },
  'rpc-urls': { type: 'string' },
  chain: { type: 'string' },
  emulator: { type: 'boolean', default: false },
  only: { type: 'string' },
  keep: { type: 'boolean', default: false },
  destroy: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false, short: 'y' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

/** Parses the command line. @returns undefined when help is asked for. @throws OptionInvalidError */
export function parseSmokeOptions(argv: readonly string[]): SmokeOptions | undefined {
  const values = readOptionValues(argv, options);
  if (values.help) return undefined;
  const { env, emulator, destroy, keep, yes, json } = values;
  if ((env === undefined) === !emulator)
    throw new OptionInvalidError('name an environment with --env, or take --emulator; --help says more');
  if (emulator && (destroy || keep || values['rpc-urls'] !== undefined || values.chain !== undefined))
    throw new OptionInvalidError('--emulator takes none of --destroy, --keep, --rpc-urls and --chain');
  if (env !== undefined && !destroy && values['rpc-urls'] === undefined)
    throw new OptionInvalidError('--rpc-urls FILE is missing: the RPC URLs of the chain, one a line');
  return {
    ...{ env, rpcUrlsPath: values['rpc-urls'], chainId: parseChain(values.chain) },
    ...{ only: parseOnly(values.only), keep, destroyOnly: destroy, yes, json },
  };
}

function parseChain(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new OptionInvalidError(`--chain must be a chain id, not ${text}`);
  return Number(text);
}

function parseOnly(text: string | undefined): readonly StepName[] {
  if (text === undefined) return stepNames;
  const asked = text.split(',');
  const unknown = asked.find((one) => !stepNames.some((name) => name === one));
  if (unknown !== undefined)
    throw new OptionInvalidError(`--only knows no ${unknown}; the steps are ${stepNames.join(', ')}`);
  const needed: readonly string[] = ['deploy', 'attest', 'destroy', ...asked];
  return stepNames.filter((name) => needed.includes(name));
}
