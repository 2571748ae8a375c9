import type { StackFile } from '../../local/stack/stack-file.ts';
import { startPatientProxy } from './patient-proxy.ts';
import type { FuzzReport } from './report.ts';
import { type Fuzzing, fuzz } from './schemathesis.ts';

/** Fuzzes a running local stack, as its publisher. @throws PlainError subclasses, each a line on what to do */
export async function fuzzLocally(
  { apiUrl, apiKey }: Pick<StackFile, 'apiUrl' | 'apiKey'>,
  fuzzing: Omit<Fuzzing, 'apiUrl' | 'apiKey'>,
): Promise<FuzzReport> {
  const { origin, pathname } = new URL(apiUrl);
  const proxy = await startPatientProxy(origin);
  try {
    return await fuzz({ ...fuzzing, apiUrl: `${proxy.url}${pathname}`, apiKey });
  } finally {
    await proxy.close();
  }
}
