import type { Attestation, ImprimaturClient } from 'imprimatur-client';

const sampleSize = 20;

const secondsOf = ({ createdAt, confirmedAt = createdAt }: Attestation) =>
  (Date.parse(confirmedAt) - Date.parse(createdAt)) / 1000;

/** Median time in seconds in which the last attestations were confirmed; `undefined` if there are none. */
export async function usualDuration(
  client: ImprimaturClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { attestations } = await client.list({ status: 'confirmed', limit: sampleSize, signal });
  // An attestation that was already on the chain has an earlier confirmation time.
  const seconds = attestations.map(secondsOf).filter((duration) => duration > 0);
  return seconds.sort((a, b) => a - b)[Math.floor(seconds.length / 2)];
}

export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
