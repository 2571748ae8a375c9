import { type ComponentChild, type ComponentChildren, render } from 'preact';

interface PageLayoutProps {
  readonly title: string;
  /** One or two sentences about the page, until there is a result. */
  readonly introduction?: string | undefined;
  readonly footer: string;
  readonly children: ComponentChildren;
}

export function PageLayout({ title, introduction, footer, children }: PageLayoutProps) {
  return (
    <div class="page-layout">
      <header class="masthead">
        <p class="brand">Imprimatur</p>
        <h1>{title}</h1>
        {introduction && <p class="introduction">{introduction}</p>}
      </header>
      <main>{children}</main>
      <footer class="small-print">{footer}</footer>
    </div>
  );
}

/** Renders into the element that every built file has. */
export function renderPage(page: ComponentChild): void {
  const element = document.getElementById('page');
  if (element) render(page, element);
}
