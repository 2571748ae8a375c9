import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import { assert, waitUntil } from '../conditions.ts';
import { type StackResource, stackResources } from '../stack/cloudformation.ts';
import type { StepContext } from '../step-context.ts';

/** Lambda's own lines where it logs text, as on emulators, and Node's warnings, which are always text. */
const platformText = /^(START|END|REPORT|INIT_START|XRAY) |^\(node:\d+\) .*Warning: |^\(Use `node /;

/** Lambda's own lines in JSON, and the lines of errors that a handler throws so that Lambda runs it again. */
const platformLine = z.union([
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-advanced.html
  z.object({ type: z.string().startsWith('platform.') }),
  z.object({
    ...{ level: z.literal('ERROR'), timestamp: z.string(), requestId: z.string() },
    message: z.object({ errorType: z.string() }),
  }),
]);

const serviceLine = z.object({
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
function kindOfLine(line: string): 'service' | 'platform' | 'unexpected' {
  if (platformText.test(line) || platformLine.safeParse(parsed(line)).success) return 'platform';
  return serviceLine.safeParse(parsed(line)).success ? 'service' : 'unexpected';
}

const isAccessLine = (line: string): boolean => accessLine.safeParse(parsed(line)).success;

/** Whether a log group is a function's, and not the API's or a state machine's. */
const isOfFunction = (logicalId: string): boolean =>
  /^(Api|Workflow|Webhooks)\w/.test(logicalId) && !/^(Api|WorkflowAttest|WorkflowLane)Log/.test(logicalId);

async function linesOf(context: StepContext, { physicalId }: StackResource): Promise<string[]> {
  const client = new CloudWatchLogsClient(context.target.aws);
  const input = { logGroupName: physicalId, startTime: context.startedAt.getTime() };
  const lines: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client }, input))
    lines.push(...events.map(({ message = '' }) => message.trim()));
  return lines;
}

/** Proves that the logs of functions and of the API have the documented shapes, and that no log contains a secret. */
export async function logs(context: StepContext): Promise<void> {
  context.log('reading every log');
  const resources = await stackResources(context.target);
  const groups = resources.filter(({ type }) => type === 'AWS::Logs::LogGroup');
  const linesByGroup = new Map<StackResource, string[]>();
  for (const group of groups) linesByGroup.set(group, await linesOf(context, group));
  proveShapes(
    context,
    [...linesByGroup].filter(([{ logicalId }]) => isOfFunction(logicalId)),
  );
  proveSecrecy(context, [...linesByGroup.values()].flat());
  const access = groups.find(({ logicalId }) => logicalId.startsWith('ApiLog'));
  if (context.target.isAws && access) return proveAccessLog(context, access);
  const fact = 'the access log has every request, in the documented fields';
  context.notProven(fact, 'an emulator writes no access log');
}

function proveShapes(
  context: StepContext,
  linesByGroup: readonly (readonly [StackResource, readonly string[]])[],
): void {
  let serviceLines = 0;
  for (const [{ logicalId }, lines] of linesByGroup) {
    for (const line of lines) {
      const kind = kindOfLine(line);
      assert(kind !== 'unexpected', `a line of ${logicalId} is not as documented: ${line.slice(0, 200)}`);
      if (kind === 'service') serviceLines += 1;
    }
  }
  assert(serviceLines > 0, 'no function has logged anything');
  const functionCount = linesByGroup.filter(([, lines]) => lines.length > 0).length;
  context.proven(
    `${serviceLines} lines of ${functionCount} functions have time, level and message; the others are Lambda's and Node's`,
  );
}

function proveSecrecy(context: StepContext, lines: readonly string[]): void {
  const { apiKey, rpcUrl } = context.service();
  const text = lines.join('\n');
  assert(!text.includes(context.marker), 'the logs contain content');
  assert(!text.includes(apiKey), 'the logs contain the API key');
  // The RPC URL of an emulator's chain contains no secret, and logs may contain it.
  assert(!context.target.isAws || !text.includes(rpcUrl), 'the logs contain an RPC URL');
  context.proven(`${lines.length} lines of all logs contain no content and no key`);
}

async function proveAccessLog(context: StepContext, group: StackResource): Promise<void> {
  let lines: string[] = [];
  await waitUntil('the access log has an accepted request', { minutes: 5, everySeconds: 15 }, async () => {
    lines = await linesOf(context, group);
    return lines.some((line) => line.includes('"status":"202"'));
  });
  for (const line of lines)
    assert(isAccessLine(line), `a line of the access log is not as documented: ${line.slice(0, 200)}`);
  const statuses = [...new Set(lines.map((line) => JSON.parse(line).status))].sort().join(', ');
  context.proven(
    `the access log has ${lines.length} requests with the documented fields and the statuses ${statuses}`,
  );
}
