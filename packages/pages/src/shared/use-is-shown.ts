import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Returns whether the component is still shown, to drop late answers. Changes when the page changes: Preact runs the
 * cleanup of `useEffect` only after it paints, and an answer can arrive before that.
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
