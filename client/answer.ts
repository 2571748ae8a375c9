import { AnswerUnusableError } from './errors.ts';

/** What the service, or something else under its URL, answered. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A JSON object's fields; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The error for an answer that this service would not give. */
export function unusable({ url }: Pick<Answer, 'url'>): AnswerUnusableError {
  const { origin } = new URL(url);
  return new AnswerUnusableError(`${origin} does not answer as this service does: is the URL the right one?`);
}
