import { type HeapProfiler, Session } from 'node:inspector/promises';

/** Bytes between samples: small compared with the allocations of any call. */
const samplingInterval = 1024;

function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesOf(child), selfSize);
}

/**
 * Estimates the allocations of a call on this thread's JavaScript heap, collected meanwhile or not; buffers lie outside
 * it.
 */
export async function allocatedBytes<Result>(call: () => Promise<Result>) {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      samplingInterval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    const result = await call();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    return { result, bytes: bytesOf(profile.head) };
  } finally {
    session.disconnect();
  }
}
