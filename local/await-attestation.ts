import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, Attestation } from './api-client.ts';
import { PlainError } from './plain-error.ts';

export class AttestationUnconfirmedError extends PlainError {
  override readonly name = 'AttestationUnconfirmedError';
}

export interface AttestationWait {
  readonly api: ApiClient;
  readonly id: string;
  readonly timeoutSeconds: number;
  readonly pollMs: number;
  /** Told after each look. */
  readonly show: (attestation: Attestation, elapsedSeconds: number) => void;
}

/** Polls until the attestation is confirmed. @throws AttestationUnconfirmedError when it fails or takes too long */
export async function awaitAttestation(wait: AttestationWait): Promise<Attestation> {
  const startedAt = Date.now();
  for (;;) {
    const attestation = await wait.api.get(wait.id);
    const elapsedSeconds = (Date.now() - startedAt) / 1000;
    wait.show(attestation, elapsedSeconds);
    const { status, error } = attestation;
    if (status === 'confirmed') return attestation;
    if (status === 'failed') throw new AttestationUnconfirmedError(`the attestation failed: ${error}`);
    if (elapsedSeconds > wait.timeoutSeconds)
      throw new AttestationUnconfirmedError(`still ${status} after ${wait.timeoutSeconds} s`);
    await sleep(wait.pollMs);
  }
}
