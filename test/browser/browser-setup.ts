import type { TestProject } from 'vitest/node';
import { hasPackagedChromium, startChromium } from './start-chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the Chromium that all files of a project share, or empty if Chrome is not installed. */
    chromium: string;
    /** Time limit of a polled expectation in milliseconds. Waits in a browser have the same. */
    pollTimeout: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('pollTimeout', project.config.expect.poll?.timeout ?? 0);
  try {
    const server = await startChromium();
    project.provide('chromium', server.wsEndpoint());
    return () => server.close();
  } catch (error) {
    if (hasPackagedChromium) throw error;
    const [reason] = (error as Error).message.split('\n');
    console.log(
      `SKIPPED: browser tests (${reason}). They need Google Chrome (https://www.google.com/chrome).`,
    );
    project.provide('chromium', '');
    return async () => {};
  }
}
