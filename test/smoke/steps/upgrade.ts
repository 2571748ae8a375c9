import { setTimeout as pause } from 'node:timers/promises';
import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { demand } from '../demand.ts';
import { stackResources } from '../place/stack-resources.ts';
import { onlyAws, type Scene } from '../scene.ts';

interface LiveVersion {
  readonly version: string;
  /** Shares of further versions, such as a canary's. */
  readonly shares: readonly number[];
}

/** Versions behind the alias `live` of every function of the service, by function. */
async function liveVersions({ place }: Scene): Promise<Map<string, LiveVersion>> {
  const lambda = new LambdaClient(place.aws);
  const resources = await stackResources(place);
  const aliases = resources.filter(({ type }) => type === 'AWS::Lambda::Alias');
  const versions = await Promise.all(
    aliases.map(async ({ physicalId }) => {
      // arn:aws:lambda:REGION:ACCOUNT:function:NAME:live
      const [Name = '', FunctionName = ''] = physicalId.split(':').reverse();
      const alias = await lambda.send(new GetAliasCommand({ FunctionName, Name }));
      const shares = Object.values(alias.RoutingConfig?.AdditionalVersionWeights ?? {});
      return [FunctionName, { version: alias.FunctionVersion ?? '$LATEST', shares }] as const;
    }),
  );
  return new Map(versions);
}

/** Looks for a canary every few seconds while the deployment goes on. @returns the shares that were seen */
async function canarySeen(scene: Scene, ended: AbortSignal): Promise<Set<number>> {
  const seen = new Set<number>();
  while (!ended.aborted) {
    const versions = await liveVersions(scene).catch(() => new Map<string, LiveVersion>());
    for (const { shares } of versions.values()) for (const share of shares) seen.add(share);
    await pause(10_000);
  }
  return seen;
}

/** A new version is deployed while an attestation is in its reveal delay. */
export async function upgrade(scene: Scene): Promise<void> {
  const { place } = scene;
  const before = await liveVersions(scene);
  demand(before.size > 0, 'no function has an alias');
  const id = await scene.post('Under way during an upgrade.');
  scene.waitFor(
    place.isAws ? 'deploying a new version, with ten minutes of canary' : 'deploying a new version',
  );
  const { chains, ...settings } = place.settings();
  const raised = chains.map((chain) => ({
    ...chain,
    maxFeePerGasGwei: Number(chain.maxFeePerGasGwei ?? 200) + 5,
  }));
  const ended = new AbortController();
  const canary = place.isAws ? canarySeen(scene, ended.signal) : undefined;
  await place.update({ ...settings, chains: raised }, false).finally(() => ended.abort());
  const after = await liveVersions(scene);
  const kept = [...after].filter(([name, { version }]) => before.get(name)?.version === version);
  demand(kept.length === 0, `${kept.length} of ${after.size} functions have the version from before`);
  demand(![...after.values()].some(({ version }) => version === '$LATEST'), 'an alias leads to $LATEST');
  scene.proven(`the alias live of ${after.size} functions leads to a new published version`);
  if (canary) await proveCanary(scene, await canary);
  else scene.notProven('a tenth of the requests at once, the rest ten minutes later', onlyAws.canary);
  await scene.confirmed(id);
  scene.proven('an attestation that was under way during the upgrade is confirmed once');
}

async function proveCanary(scene: Scene, shares: ReadonlySet<number>): Promise<void> {
  demand(
    shares.has(0.1),
    `no function gave a tenth to its new version; seen: ${[...shares].join(', ') || 'none'}`,
  );
  scene.proven('the new version had a tenth of the requests before it had all');
}
