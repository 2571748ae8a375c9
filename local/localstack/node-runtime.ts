/** Runs a function's handler: reads an invocation from each line of stdin and writes its reply to the given descriptor. */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const descriptor = Number(process.argv[2]);
const {
  _HANDLER: name = '',
  LAMBDA_TASK_ROOT: root = '',
  AWS_LAMBDA_FUNCTION_NAME: functionName,
} = process.env;
const [file, exported = ''] = name.split('.');

function reply(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(descriptor, bytes, sent);
}

function describe(error: unknown) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}

const { [exported]: handler } = await import(pathToFileURL(`${root}/${file}.mjs`).href);
reply('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const invocation = JSON.parse(line);
  const end = Date.now() + invocation.timeout * 1000;
  const context = {
    functionName,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    invokedFunctionArn: invocation['invoked-function-arn'],
    awsRequestId: invocation['invoke-id'],
    getRemainingTimeInMillis: () => end - Date.now(),
  };
  process.env._X_AMZN_TRACE_ID = invocation['trace-id'];
  try {
    reply(`ok ${JSON.stringify(await handler(JSON.parse(invocation.payload), context)) ?? 'null'}`);
  } catch (error) {
    console.error(error);
    reply(`error ${JSON.stringify(describe(error))}`);
  }
}
