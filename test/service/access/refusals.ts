import { logsCall } from '../stack/aws.ts';

interface LogEvents {
  readonly events: readonly { readonly message: string }[];
}

const groups = new Map<string, string>();

/** Name of the log group of a function, by the function's construct id. */
async function groupOf(id: string): Promise<string> {
  if (groups.size === 0) {
    const { logGroups } = (await logsCall('DescribeLogGroups', {})) as {
      logGroups: { logGroupName: string }[];
    };
    for (const { logGroupName } of logGroups) {
      const [, name] = /\/(?:Api|Workflow|Webhooks)(\w+)Log[0-9A-F]{8}$/.exec(logGroupName) ?? [];
      if (name !== undefined) groups.set(name, logGroupName);
    }
  }
  const found = groups.get(id);
  if (found === undefined) throw new Error(`no log group of ${id}`);
  return found;
}

/** Whether the function has logged since then that it was refused the action. */
export async function wasRefused(id: string, action: string, since: number): Promise<boolean> {
  const input = { logGroupName: await groupOf(id), startTime: since, limit: 10_000 };
  const { events } = (await logsCall('FilterLogEvents', input)) as unknown as LogEvents;
  return events.some(({ message }) => message.includes(`not authorized to perform: ${action} `));
}
