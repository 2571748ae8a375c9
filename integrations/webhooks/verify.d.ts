/** An event from the service. */
export interface WebhookEvent {
  /** ID of the event, which is the same in each delivery. Ignore events that you already have. */
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
