import { type ComponentChild, type ComponentChildren, render } from 'preact';

interface ShellProps {
  readonly title: string;
  /** One sentence about the page, until there is a result. */
  readonly lede?: string | undefined;
  readonly footer: string;
  readonly children: ComponentChildren;
}

export function Shell({ title, lede, footer, children }: ShellProps) {
  return (
    <div class="shell">
      <header class="masthead">
        <p class="brand">Imprimatur</p>
        <h1>{title}</h1>
        {lede && <p class="lede">{lede}</p>}
      </header>
      <main>{children}</main>
      <footer class="small-print">{footer}</footer>
    </div>
  );
}

/** Renders into the element that every built file has. */
export function mount(page: ComponentChild): void {
  const element = document.getElementById('page');
  if (element) render(page, element);
}
