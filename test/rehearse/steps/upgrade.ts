import { setTimeout as pause } from 'node:timers/promises';
import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { assert } from '../conditions.ts';
import { stackResources } from '../stack/cloudformation.ts';
import type { StepContext } from '../step-context.ts';

interface LiveVersion {
  readonly version: string;
  /** Shares of further versions, such as a canary's. */
  readonly shares: readonly number[];
}

/** Versions behind the alias `live` of every function of the service, by function. */
async function liveVersions({ target }: StepContext): Promise<ReadonlyMap<string, LiveVersion>> {
  const lambda = new LambdaClient(target.aws);
  const resources = await stackResources(target);
  const aliases = resources.filter(({ type }) => type === 'AWS::Lambda::Alias');
  const versions = aliases.map(async ({ physicalId }) => {
    // arn:aws:lambda:REGION:ACCOUNT:function:NAME:live
    const [Name = '', FunctionName = ''] = physicalId.split(':').reverse();
    const alias = await lambda.send(new GetAliasCommand({ FunctionName, Name }));
    const shares = Object.values(alias.RoutingConfig?.AdditionalVersionWeights ?? {});
    return [FunctionName, { version: alias.FunctionVersion ?? '$LATEST', shares }] as const;
  });
  return new Map(await Promise.all(versions));
}

interface Observed {
  readonly shares: ReadonlySet<number>;
  /** The attestations that were posted, each after the previous one was confirmed. */
  readonly posted: readonly string[];
}

/** Posts a new attestation when the last is confirmed, and records canaries, until the deployment has ended. */
async function watchUpgrade(context: StepContext, ended: AbortSignal): Promise<Observed> {
  const shares = new Set<number>();
  const post = () => context.post('Posted during an upgrade.');
  let last = await post();
  const posted = [last];
  while (!ended.aborted) {
    const versions = await liveVersions(context).catch(() => new Map<string, LiveVersion>());
    for (const version of versions.values()) for (const share of version.shares) shares.add(share);
    if ((await context.client().get(last)).status === 'confirmed') {
      last = await post();
      posted.push(last);
    }
    await pause(context.target.isAws ? 10_000 : 2_000);
  }
  return { shares, posted };
}

/** Deploys a new version while an attestation is in its reveal delay. */
export async function upgrade(context: StepContext): Promise<void> {
  const { target } = context;
  const before = await liveVersions(context);
  assert(before.size > 0, 'no function has an alias');
  context.log(`deploying a new version${target.isAws ? ', with a canary of 10 minutes' : ''}`);
  const { chains, ...settings } = target.settings();
  const raised = chains.map((chain) => ({
    ...chain,
    maxFeePerGasGwei: Number(chain.maxFeePerGasGwei ?? 200) + 5,
  }));
  const ended = new AbortController();
  const [{ shares, posted }] = await Promise.all([
    watchUpgrade(context, ended.signal),
    target.update({ ...settings, chains: raised }, false).finally(() => ended.abort()),
  ]);
  const after = await liveVersions(context);
  const kept = [...after].filter(([name, { version }]) => before.get(name)?.version === version);
  assert(kept.length === 0, `${kept.length} of ${after.size} functions still have the earlier version`);
  assert(![...after.values()].some(({ version }) => version === '$LATEST'), 'an alias points to $LATEST');
  context.proven(`the alias live of ${after.size} functions points to a new published version`);
  if (target.isAws) {
    const seen = [...shares].join(', ') || 'none';
    assert(shares.has(0.1), `no function gave a tenth to its new version; seen: ${seen}`);
    context.proven('the new version had a tenth of the requests before it had all');
  } else {
    context.notProven(
      'a tenth of the requests at once, the rest ten minutes later',
      'an emulator has no CodeDeploy',
    );
  }
  for (const id of posted) await context.waitUntilConfirmed(id);
  context.proven(
    `attestations posted while functions changed are confirmed: ${posted.length}, one after another`,
  );
}
