import { useLayoutEffect } from 'preact/hooks';

/** Accepts files that are dropped anywhere. Otherwise the browser would leave the page and open them. */
export function useDroppedFiles(onFiles: (files: Iterable<File>) => void): void {
  // Not `useEffect`, because it would run after the first paint.
  useLayoutEffect(() => {
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
    };
    const events = ['dragover', 'drop'] as const;
    for (const event of events) window.addEventListener(event, handle);
    return () => {
      for (const event of events) window.removeEventListener(event, handle);
    };
  });
}
