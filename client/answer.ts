/** What the service, or something else under its URL, answered. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
}
