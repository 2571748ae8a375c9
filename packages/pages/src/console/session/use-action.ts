import { useRef, useState } from 'preact/hooks';

/** Runs an action when a person starts it, never twice at the same time. */
export function useAction() {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (action: () => Promise<void>) => {
    // A double click arrives before the button is disabled.
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (thrown) {
      setError(thrown);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, error, run: (action: () => Promise<void>) => void run(action) };
}
