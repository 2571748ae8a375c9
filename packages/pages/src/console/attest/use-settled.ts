import { useEffect, useState } from 'preact/hooks';

const pauseMs = 250;

/** Returns the value after the person has stopped typing, for work that would make typing slow. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
