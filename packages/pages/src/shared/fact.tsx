import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly label: string;
  readonly isMono?: boolean;
  readonly children: ComponentChildren;
}

/** One row of a `dl` list: a term and its description. */
export function Fact({ label, isMono, children }: FactProps) {
  return (
    <>
      <dt>{label}</dt>
      <dd class={isMono ? 'mono' : undefined}>{children}</dd>
    </>
  );
}
