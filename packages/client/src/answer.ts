import { AnswerUnusableError } from './errors.ts';

/** An answer of the service, or of another server under its URL. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; `undefined` when there is none. */
  readonly body: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Gives the fields of a JSON object; no fields for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Makes the error for an answer that this service would not give. */
export function unusable({ url }: Pick<Answer, 'url'>): AnswerUnusableError {
  const { origin } = new URL(url);
  return new AnswerUnusableError(`${origin} does not answer as this service does: is the URL the right one?`);
}
