import { type ComponentChild, render } from 'preact';

/** Shows a page in the element that every built file has for it. */
export function mount(page: ComponentChild): void {
  const element = document.getElementById('page');
  if (element) render(page, element);
}
