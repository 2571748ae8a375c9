import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';
import { type StackResource, stackResources } from '../stack/cloudformation.ts';

/** Lines of Lambda itself where it does not log JSON, as on emulators, and warnings of Node, which are text everywhere. */
const platformText = /^(START|END|REPORT|INIT_START|XRAY) |^\(node:\d+\) .*Warning: |^\(Use `node /;

/** Lambda's lines in JSON, and those of errors that a handler threw, as handlers do to be run again. */
const platformLine = z.union([
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-advanced.html
  z.object({ type: z.string().startsWith('platform.') }),
  z.object({
    ...{ level: z.literal('ERROR'), timestamp: z.string(), requestId: z.string() },
    message: z.object({ errorType: z.string() }),
  }),
]);

const ownLine = z.object({
  time: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string().min(1),
});

const accessLine = z.object({
  ...{ requestTime: z.string(), httpMethod: z.string(), resourcePath: z.string() },
  ...{
    status: z.string().regex(/^[1-5]\d\d$/),
    responseLength: z.string(),
    ip: z.string(),
    protocol: z.string(),
  },
});

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Classifies a function's line: of the service, of Lambda or Node, or unexpected. */
function kindOfLine(line: string): 'service' | 'platform' | 'wrong' {
  if (platformText.test(line) || platformLine.safeParse(parsed(line)).success) return 'platform';
  return ownLine.safeParse(parsed(line)).success ? 'service' : 'wrong';
}

const isAccessLine = (line: string): boolean => accessLine.safeParse(parsed(line)).success;

/** Whether a log group is a function's, and not the API's or a state machine's. */
const isOfFunction = (logicalId: string): boolean =>
  /^(Api|Workflow|Webhooks)\w/.test(logicalId) && !/^(Api|WorkflowAttest|WorkflowLane)Log/.test(logicalId);

async function linesOf(scene: Scene, { physicalId }: StackResource): Promise<string[]> {
  const client = new CloudWatchLogsClient(scene.place.aws);
  const asked = { logGroupName: physicalId, startTime: scene.startedAt.getTime() };
  const lines: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client }, asked))
    lines.push(...events.map(({ message = '' }) => message.trim()));
  return lines;
}

/** All logs have the documented shapes, and contain no secret. */
export async function logs(scene: Scene): Promise<void> {
  scene.log('reading every log');
  const resources = await stackResources(scene.place);
  const groups = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup');
  const written = new Map<StackResource, string[]>();
  for (const group of groups) written.set(group, await linesOf(scene, group));
  proveShapes(
    scene,
    [...written].filter(([{ logicalId }]) => isOfFunction(logicalId)),
  );
  proveSecrecy(scene, [...written.values()].flat());
  const access = groups.find(({ logicalId }) => logicalId.startsWith('ApiLog'));
  if (scene.place.isAws && access) return proveAccessLog(scene, access);
  const what = 'the access log has every request, in the fields documented';
  scene.notProven(what, 'an emulator writes no access log');
}

function proveShapes(scene: Scene, written: readonly (readonly [StackResource, readonly string[]])[]): void {
  let own = 0;
  for (const [{ logicalId }, lines] of written) {
    for (const line of lines) {
      const kind = kindOfLine(line);
      demand(kind !== 'wrong', `a line of ${logicalId} is not as documented: ${line.slice(0, 200)}`);
      if (kind === 'service') own += 1;
    }
  }
  demand(own > 0, 'no function has logged anything');
  const spoke = written.filter(([, lines]) => lines.length > 0).length;
  scene.proven(
    `${own} lines of ${spoke} functions have time, level and message; the others are Lambda's and Node's`,
  );
}

function proveSecrecy(scene: Scene, lines: readonly string[]): void {
  const { apiKey, rpcUrl } = scene.service();
  const text = lines.join('\n');
  demand(!text.includes(scene.marker), 'the logs contain content');
  demand(!text.includes(apiKey), 'the logs contain the API key');
  // An emulator's chain has an address without a secret, which it logs itself.
  demand(!scene.place.isAws || !text.includes(rpcUrl), 'the logs contain an RPC URL');
  scene.proven(`${lines.length} lines of all logs contain no content and no key`);
}

async function proveAccessLog(scene: Scene, group: StackResource): Promise<void> {
  let lines: string[] = [];
  await until('the access log has an accepted request', { minutes: 5, everySeconds: 15 }, async () => {
    lines = await linesOf(scene, group);
    return lines.some((line) => line.includes('"status":"202"'));
  });
  for (const line of lines)
    demand(isAccessLine(line), `a line of the access log is not as documented: ${line.slice(0, 200)}`);
  const statuses = [...new Set(lines.map((line) => JSON.parse(line).status))].sort().join(', ');
  scene.proven(
    `the access log has ${lines.length} requests with the documented fields and the statuses ${statuses}`,
  );
}
