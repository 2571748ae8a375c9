import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../session/session.ts';
import { usualDuration } from './usual-duration.ts';

/** How long a confirmation usually takes, in seconds; `undefined` while that is unknown. */
export function useUsualDuration(): number | undefined {
  const { client } = useSession();
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    const stop = new AbortController();
    // Only an estimate: without it, the page works as well.
    usualDuration(client, stop.signal).then(setSeconds, () => undefined);
    return () => stop.abort();
  }, [client]);
  return seconds;
}
