import { useEffect } from 'preact/hooks';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page; without this a browser would leave it and open them. */
export function useDrops(onFiles: (files: Iterable<File>) => void): void {
  useEffect(() => {
    const allow = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const take = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener('dragover', allow);
    window.addEventListener('drop', take);
    return () => {
      window.removeEventListener('dragover', allow);
      window.removeEventListener('drop', take);
    };
  }, []);
}

/** The text after `#` of the page's address, which no host is told; empty without any. */
function fragment(): string {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Takes the reference from the link that led here, and from those that are followed later. */
export function useLink(onReference: (reference: string) => void): void {
  useEffect(() => {
    const take = () => {
      const reference = fragment();
      if (reference !== '') onReference(reference);
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
}
