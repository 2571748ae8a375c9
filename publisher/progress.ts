import { printable } from '../admin/terminal/text.ts';
import type { Attestation } from '../client/imprimatur.ts';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

function describe(attestation: Attestation): string {
  const { status, commitTxHash, revealTxHash, attestationIndex, childAttestationId, childLinkTxHash } =
    attestation;
  if (status === 'committed') return `committed  in ${commitTxHash ?? 'a transaction'}`;
  if (status !== 'confirmed') return status;
  if (childLinkTxHash) return `linked  in ${childLinkTxHash}`;
  if (childAttestationId) return 'confirmed  its link is queued';
  return `confirmed  as number ${attestationIndex}${revealTxHash ? `, in ${revealTxHash}` : ''}`;
}

/**
 * Shows the progress of an attestation: a line whenever something changes and, on a terminal, the seconds in between.
 */
export class Progress {
  readonly #output: ProgressOutput;
  #shown = '';
  #isOpen = false;

  constructor(output: ProgressOutput) {
    this.#output = output;
  }

  show(attestation: Attestation, elapsedSeconds: number): void {
    const description = printable(describe(attestation));
    const line = `${elapsedSeconds.toFixed(0).padStart(5)} s  ${description}`;
    const isNew = description !== this.#shown;
    if (isNew) this.end();
    if (this.#output.isTTY) this.#output.write(`\r\x1b[K${line}`);
    else if (isNew) this.#output.write(`${line}\n`);
    this.#isOpen = this.#output.isTTY === true;
    this.#shown = description;
  }

  /** Ends the line that counts seconds; called before any other output. */
  end(): void {
    if (this.#isOpen) this.#output.write('\n');
    this.#isOpen = false;
  }
}
