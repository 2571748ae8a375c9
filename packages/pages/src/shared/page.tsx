import { type ComponentChild, type ComponentChildren, render } from 'preact';

interface ShellProps {
  readonly title: string;
  /** What the page does, in a sentence, while that is news. */
  readonly lede?: string | undefined;
  /** Small print at the end of the page. */
  readonly footer: string;
  readonly children: ComponentChildren;
}

/** Frame that all pages have: what it is, the content, small print. */
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

/** Shows a page in the element that every built file has for it. */
export function mount(page: ComponentChild): void {
  const element = document.getElementById('page');
  if (element) render(page, element);
}
