import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Returns whether the component is still shown, to drop late answers. Changes in the same commit as the page: Preact ends
 * a `useEffect` only after painting, and an answer can arrive before that.
 */
export function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(true);
  useLayoutEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return isShown;
}
