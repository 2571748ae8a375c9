import type { Attestation } from '../../client/imprimatur.ts';

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const describe = ({ status, commitTxHash, revealTxHash, attestationIndex }: Attestation) => {
  if (status === 'committed') return `committed  in ${commitTxHash}`;
  if (status === 'confirmed') return `confirmed  as number ${attestationIndex}, in ${revealTxHash}`;
  return status;
};

/**
 * Shows the progress of an attestation: a line whenever its status changes and, on a terminal, one that counts the
 * seconds in between.
 */
export function showProgress(
  output: ProgressOutput,
): (attestation: Attestation, elapsedSeconds: number) => void {
  let shown = '';
  return (attestation, elapsedSeconds) => {
    const line = `${elapsedSeconds.toFixed(0).padStart(5)} s  ${describe(attestation)}`;
    const changed = attestation.status !== shown;
    shown = attestation.status;
    if (output.isTTY) output.write(`\r\x1b[K${line}${attestation.status === 'confirmed' ? '\n' : ''}`);
    else if (changed) output.write(`${line}\n`);
  };
}
