import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { reportFailure, stopRequest } from '../../../local/process/stop-request.ts';
import { startStack } from '../../../local/stack/stack.ts';
import { stackFilePath } from '../../../local/stack/stack-file.ts';
import { servePages } from '../../../local/start/serve-pages.ts';

/** Short, because most tests wait for it. */
const revealDelaySeconds = 2;

/** Replaces Vitest's listeners, which would exit before the stack has stopped. */
function takeStopRequests(): AbortSignal {
  for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
  return stopRequest();
}

/** Starts a stack for a project's tests: on LocalStack for the project `localstack`. `npm start` may run beside it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const emulator = project.name === 'localstack' ? 'localstack' : 'ministack';
  const directory = resolve(`.local/tests-${project.name}`);
  const log = console.log;
  const signal = takeStopRequests();
  const pages = await servePages(0);
  const stack = await startStack({
    settings: { corsOrigins: [pages.origin] },
    directory,
    port: 0,
    revealDelaySeconds,
    emulator,
    variables: {},
    log,
    signal,
  }).catch((error) => process.exit(reportFailure(error)));
  signal.addEventListener('abort', () => stack.stop().finally(() => process.exit(130)));
  pages.useService(stack.file.apiUrl);
  project.provide('pageUrls', pages.urls);
  project.provide('stack', { directory, outputs: stack.outputs, ...stack.file });
  return async () => {
    await pages.close();
    await stack.stop();
    // Commands would take a leftover file for a running stack.
    if (existsSync(stackFilePath(directory))) throw new Error('the stopped stack has left its stack.json');
  };
}
