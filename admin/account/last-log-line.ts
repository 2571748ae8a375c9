import {
  type CloudWatchLogsClient,
  FilterLogEventsCommand,
  type FilterLogEventsCommandOutput,
} from '@aws-sdk/client-cloudwatch-logs';

/**
 * Time of the newest line with that message in a log group since a time; `undefined` without one. CloudWatch answers
 * pages that may be empty, oldest line first.
 */
export async function lastLogLine(
  logs: CloudWatchLogsClient,
  logGroupName: string,
  message: string,
  since: Date,
): Promise<Date | undefined> {
  let [next, last]: [string | undefined, number] = [undefined, 0];
  do {
    const page: FilterLogEventsCommandOutput = await logs.send(
      new FilterLogEventsCommand({
        logGroupName,
        filterPattern: `{ $.message = ${JSON.stringify(message)} }`,
        startTime: since.getTime(),
        nextToken: next,
      }),
    );
    // Emulators answer every line.
    for (const event of page.events ?? [])
      if (event.message?.includes(`"message":${JSON.stringify(message)}`))
        last = Math.max(last, event.timestamp ?? 0);
    next = page.nextToken;
  } while (next);
  return last === 0 ? undefined : new Date(last);
}
