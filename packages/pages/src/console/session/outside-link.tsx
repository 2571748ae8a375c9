import type { ComponentChildren } from 'preact';

interface OutsideLinkProps {
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link that opens another tab, because this page has the key and typed texts in memory. */
export function OutsideLink({ children, ...attributes }: OutsideLinkProps) {
  return (
    <a {...attributes} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
