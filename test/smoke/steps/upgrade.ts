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

type Versions = ReadonlyMap<string, LiveVersion>;

/** Versions behind the alias `live` of every function of the service, by function. */
async function liveVersions({ place }: Scene): Promise<Versions> {
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

/** What was seen while a deployment went on. */
interface Seen {
  /** Shares that canaries had. */
  readonly shares: ReadonlySet<number>;
  /** The attestation that was posted last. */
  readonly id: string;
  /** Whether that was not confirmed yet when an alias had moved; `undefined` if no alias was seen to. */
  readonly underWay: boolean | undefined;
}

const hasMoved = (before: Versions, now: Versions): boolean =>
  [...now].some(([name, { version, shares }]) => shares.length > 0 || before.get(name)?.version !== version);

interface Poster {
  post(what: string): Promise<string>;
  status(id: string): Promise<string>;
}

interface Watch {
  readonly before: Versions;
  readonly ask: () => Promise<Versions>;
  readonly everySeconds: number;
}

/** Keeps an attestation under way until an alias moves, and looks for canaries until the deployment has ended. */
export async function watchUpgrade(
  service: Poster,
  ended: AbortSignal,
  { before, ask, everySeconds }: Watch,
): Promise<Seen> {
  const shares = new Set<number>();
  const post = () => service.post('Under way during an upgrade.');
  let id = await post();
  let underWay: boolean | undefined;
  while (!ended.aborted) {
    const versions = await ask().catch(() => before);
    for (const version of versions.values()) for (const share of version.shares) shares.add(share);
    if (underWay === undefined) {
      const status = await service.status(id).catch(() => undefined);
      if (status !== undefined && hasMoved(before, versions)) underWay = status !== 'confirmed';
      else if (status === 'confirmed') id = await post().catch(() => id);
    }
    await pause(everySeconds * 1000);
  }
  return { shares, id, underWay };
}

/** A new version is deployed while an attestation is in its reveal delay. */
export async function upgrade(scene: Scene): Promise<void> {
  const { place } = scene;
  const before = await liveVersions(scene);
  demand(before.size > 0, 'no function has an alias');
  scene.waitFor(
    place.isAws ? 'deploying a new version, with ten minutes of canary' : 'deploying a new version',
  );
  const { chains, ...settings } = place.settings();
  const raised = chains.map((chain) => ({
    ...chain,
    maxFeePerGasGwei: Number(chain.maxFeePerGasGwei ?? 200) + 5,
  }));
  const ended = new AbortController();
  const update = async () =>
    place.update({ ...settings, chains: raised }, false).finally(() => ended.abort());
  const ask = () => liveVersions(scene);
  const service = {
    post: scene.post,
    status: async (one: string) => (await scene.client().get(one)).status,
  };
  const [seen] = await Promise.all([
    watchUpgrade(service, ended.signal, { before, ask, everySeconds: place.isAws ? 10 : 2 }),
    update(),
  ]);
  const after = await liveVersions(scene);
  const kept = [...after].filter(([name, { version }]) => before.get(name)?.version === version);
  demand(kept.length === 0, `${kept.length} of ${after.size} functions have the version from before`);
  demand(![...after.values()].some(({ version }) => version === '$LATEST'), 'an alias leads to $LATEST');
  scene.proven(`the alias live of ${after.size} functions leads to a new published version`);
  if (place.isAws) proveCanary(scene, seen.shares);
  else scene.notProven('a tenth of the requests at once, the rest ten minutes later', onlyAws.canary);
  await scene.confirmed(seen.id);
  const underWay = 'an attestation that was under way when functions changed is confirmed';
  if (seen.underWay) scene.proven(underWay);
  else
    scene.notProven(
      underWay,
      seen.underWay === false ? 'it was confirmed just before' : 'nobody saw them change',
    );
}

function proveCanary(scene: Scene, shares: ReadonlySet<number>): void {
  demand(
    shares.has(0.1),
    `no function gave a tenth to its new version; seen: ${[...shares].join(', ') || 'none'}`,
  );
  scene.proven('the new version had a tenth of the requests before it had all');
}
