import { useEffect, useState } from 'preact/hooks';

const pauseMs = 250;

/** Returns the value after the person has stopped typing, for work that would make typing slow. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
