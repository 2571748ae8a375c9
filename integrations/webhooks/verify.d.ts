/** An event that is from the service. */
export interface WebhookEvent {
  /** The same each time that the event comes: drop those that you have. */
  readonly id: string;
  readonly type: 'attestation.confirmed' | 'attestation.failed' | 'attestation.linked';
  readonly timestamp: string;
  readonly data: { readonly id: string } & Readonly<Record<string, unknown>>;
}

export declare function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string,
  now?: Date,
): WebhookEvent;
