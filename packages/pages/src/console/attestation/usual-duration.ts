import type { Attestation } from 'imprimatur-client';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../session/session.ts';

const sampleSize = 20;

const secondsOf = ({ createdAt, confirmedAt = createdAt }: Attestation) =>
  (Date.parse(confirmedAt) - Date.parse(createdAt)) / 1000;

/**
 * Median time in seconds from acceptance to the block with the reveal, of the last attestations on a chain, or on any
 * chain. `undefined` while it is unknown. The API does not return the time at which that block became final.
 */
export function useUsualDuration(chainId?: number): number | undefined {
  const { client } = useSession();
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    const stop = new AbortController();
    client.list({ status: 'confirmed', limit: sampleSize, signal: stop.signal }).then(
      ({ attestations }) => {
        const sample = attestations.filter((one) => chainId === undefined || one.chainId === chainId);
        // A text that was already on the chain was revealed before it was accepted.
        const durations = sample.map(secondsOf).filter((duration) => duration > 0);
        setSeconds(durations.sort((a, b) => a - b)[Math.floor(durations.length / 2)]);
      },
      // Ignored, because this is only an estimate.
      () => undefined,
    );
    return () => stop.abort();
  }, [client, chainId]);
  return seconds;
}
