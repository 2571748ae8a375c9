import type { ComponentChildren } from 'preact';

/** An error that screen readers announce immediately. */
export function Alert({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="problem" role="alert">
      {children}
    </p>
  );
}
