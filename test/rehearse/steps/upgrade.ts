import { setTimeout as pause } from 'node:timers/promises';
import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { demand } from '../run.ts';
import type { Scene } from '../scene.ts';
import { stackResources } from '../stack/cloudformation.ts';

interface LiveVersion {
  readonly version: string;
  /** Shares of further versions, such as a canary's. */
  readonly shares: readonly number[];
}

/** Versions behind the alias `live` of every function of the service, by function. */
async function liveVersions({ place }: Scene): Promise<ReadonlyMap<string, LiveVersion>> {
  const lambda = new LambdaClient(place.aws);
  const resources = await stackResources(place);
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

interface Seen {
  readonly shares: ReadonlySet<number>;
  /** The attestations that were posted, each once the one before was confirmed. */
  readonly posted: readonly string[];
}

/** Keeps an attestation under way, and looks for canaries, until the deployment has ended. */
async function watchUpgrade(scene: Scene, ended: AbortSignal): Promise<Seen> {
  const shares = new Set<number>();
  const post = () => scene.post('Under way during an upgrade.');
  let last = await post();
  const posted = [last];
  while (!ended.aborted) {
    const versions = await liveVersions(scene).catch(() => new Map<string, LiveVersion>());
    for (const version of versions.values()) for (const share of version.shares) shares.add(share);
    if ((await scene.client().get(last)).status === 'confirmed') {
      last = await post();
      posted.push(last);
    }
    await pause(scene.place.isAws ? 10_000 : 2_000);
  }
  return { shares, posted };
}

/** A new version is deployed while an attestation is in its reveal delay. */
export async function upgrade(scene: Scene): Promise<void> {
  const { place } = scene;
  const before = await liveVersions(scene);
  demand(before.size > 0, 'no function has an alias');
  scene.log(`deploying a new version${place.isAws ? ', with a canary of 10 minutes' : ''}`);
  const { chains, ...settings } = place.settings();
  const raised = chains.map((chain) => ({
    ...chain,
    maxFeePerGasGwei: Number(chain.maxFeePerGasGwei ?? 200) + 5,
  }));
  const ended = new AbortController();
  const [{ shares, posted }] = await Promise.all([
    watchUpgrade(scene, ended.signal),
    place.update({ ...settings, chains: raised }, false).finally(() => ended.abort()),
  ]);
  const after = await liveVersions(scene);
  const kept = [...after].filter(([name, { version }]) => before.get(name)?.version === version);
  demand(kept.length === 0, `${kept.length} of ${after.size} functions have the version from before`);
  demand(![...after.values()].some(({ version }) => version === '$LATEST'), 'an alias leads to $LATEST');
  scene.proven(`the alias live of ${after.size} functions leads to a new published version`);
  if (place.isAws) {
    const seen = [...shares].join(', ') || 'none';
    demand(shares.has(0.1), `no function gave a tenth to its new version; seen: ${seen}`);
    scene.proven('the new version had a tenth of the requests before it had all');
  } else {
    scene.notProven(
      'a tenth of the requests at once, the rest ten minutes later',
      'an emulator has no CodeDeploy',
    );
  }
  for (const id of posted) await scene.confirmed(id);
  scene.proven(`what was posted while functions changed is confirmed: ${posted.length}, one after another`);
}
