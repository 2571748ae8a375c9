import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type OpenedPage, openPage, pageFile } from '../open-page.ts';

/** The publishers' console in a browser. Finds elements by role and label, as a person would. */
export class ConsolePage {
  readonly page: Page;
  readonly opened: OpenedPage;

  private constructor(opened: OpenedPage) {
    this.opened = opened;
    this.page = opened.page;
  }

  static async open(
    browser: Browser,
    url = pageFile('console'),
    options?: BrowserContextOptions,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<ConsolePage> {
    return new ConsolePage(await openPage(browser, url, options, prepare));
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name: string) {
    return this.page.getByLabel(name, { exact: true });
  }

  /** Text of the first error that is announced. */
  async alert(): Promise<string> {
    const alert = this.page.getByRole('alert').filter({ hasText: /\S/ }).first();
    return (await alert.textContent()) ?? '';
  }

  async signIn(apiKey: string, url?: string): Promise<void> {
    if (url !== undefined) await this.field('URL of the service').fill(url);
    await this.field('API key').fill(apiKey);
    await this.button('Sign in').click();
  }

  /** Signs in, and waits until the service accepts the key: while it checks, only the button's name changes. */
  async signInAccepted(apiKey: string): Promise<void> {
    await this.signIn(apiKey);
    await this.field('API key').waitFor({ state: 'detached' });
  }

  /** Opens the form, and waits until its view has taken the focus. */
  async openForm(): Promise<void> {
    await this.page.getByRole('link', { name: 'Attest a text' }).click();
    await this.page.locator(':focus h2', { hasText: 'Attest a text' }).waitFor();
  }

  /** Presses a button or link of the form with a key. A mouse can miss it, because the form grows above it. */
  async press(name: string): Promise<void> {
    await this.button(name)
      .or(this.page.getByRole('link', { name, exact: true }))
      .press('Enter');
  }

  /** Clicks a button twice at once. */
  async clickTwice(name: string): Promise<void> {
    await this.button(name).evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
