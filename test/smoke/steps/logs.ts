import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { demand, SmokeFailedError, until } from '../demand.ts';
import { accessLineProblem, kindOfLine, secretsIn } from '../log-lines.ts';
import { type StackResource, stackResources } from '../place/stack-resources.ts';
import { onlyAws, type Scene } from '../scene.ts';

async function linesOf(scene: Scene, { physicalId }: StackResource): Promise<string[]> {
  const client = new CloudWatchLogsClient(scene.place.aws);
  const asked = { logGroupName: physicalId, startTime: scene.startedAt.getTime() };
  const lines: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client }, asked))
    lines.push(...events.map(({ message = '' }) => message.trim()));
  return lines;
}

/** Whether a log group is a function's: the API and the state machines have others, whose lines have other shapes. */
export const isOfFunction = (logicalId: string): boolean =>
  /^(Api|Workflow|Webhooks)\w/.test(logicalId) && !/^(Api|WorkflowAttest|WorkflowLane)Log/.test(logicalId);

/** What the functions, the state machines and the API wrote down is as documented, and holds no secret. */
export async function logs(scene: Scene): Promise<void> {
  scene.waitFor('reading every log');
  const resources = await stackResources(scene.place);
  const groups = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup');
  const access = groups.find(({ logicalId }) => logicalId.startsWith('ApiLog'));
  const ofFunctions = groups.filter(({ logicalId }) => isOfFunction(logicalId));
  const written = new Map<StackResource, string[]>();
  for (const group of groups) written.set(group, await linesOf(scene, group));
  proveShapes(scene, ofFunctions, written);
  proveSecrecy(scene, [...written.values()].flat());
  if (scene.place.isAws && access) await proveAccessLog(scene, access);
  else scene.notProven('the access log has every request, in the fields documented', onlyAws.accessLog);
}

function proveShapes(
  scene: Scene,
  groups: readonly StackResource[],
  written: ReadonlyMap<StackResource, readonly string[]>,
): void {
  let [own, thrown, silent] = [0, 0, 0];
  for (const group of groups) {
    const lines = written.get(group) ?? [];
    if (lines.length === 0) silent += 1;
    for (const line of lines) {
      const kind = kindOfLine(line);
      if (typeof kind === 'object')
        throw new SmokeFailedError(`a line of ${group.logicalId} ${kind.problem}: ${line.slice(0, 200)}`);
      if (kind === 'service') own += 1;
      if (kind === 'thrown') thrown += 1;
    }
  }
  demand(own > 0, 'no function has logged anything');
  const spoke = groups.length - silent;
  scene.proven(
    `${own} lines of ${spoke} functions have time, level and message; the others are Lambda's and Node's, ${thrown} of them of errors that handlers threw`,
  );
}

function proveSecrecy(scene: Scene, lines: readonly string[]): void {
  const { apiKey, rpcUrl } = scene.service();
  // An emulator's chain has an address without a secret, which it logs itself.
  const secrets = {
    'the content': scene.marker,
    'the API key': apiKey,
    ...(scene.place.isAws && { 'an RPC URL': rpcUrl }),
  };
  const found = secretsIn(lines.join('\n'), secrets);
  demand(found.length === 0, `the logs hold ${found.join(' and ')}`);
  scene.proven(`${lines.length} lines of all logs hold no content and no key`);
}

async function proveAccessLog(scene: Scene, group: StackResource): Promise<void> {
  let lines: string[] = [];
  await until('the access log has an accepted request', { minutes: 5, everySeconds: 15 }, async () => {
    lines = await linesOf(scene, group);
    return lines.some((line) => line.includes('"status":"202"'));
  });
  for (const line of lines) {
    const problem = accessLineProblem(line);
    demand(problem === undefined, `a line of the access log ${problem}: ${line.slice(0, 200)}`);
  }
  const statuses = [...new Set(lines.map((line) => JSON.parse(line).status))].sort().join(', ');
  scene.proven(
    `the access log has ${lines.length} requests in the fields documented, of the statuses ${statuses}`,
  );
}
