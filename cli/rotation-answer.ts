import type { Hash } from 'viem';
import type { ChainSigner } from '../functions/domain/signers.ts';
import { type AdminCall, adminCallText } from './admin-call.ts';
import type { Answer } from './answer.ts';
import type { SignerKey } from './desk.ts';
import { type MissingStep, missingStepText } from './missing-steps.ts';

interface Rotation {
  readonly chainId: number;
  readonly signer: SignerKey;
  /** The admin's transactions. */
  readonly sent: readonly Hash[];
}

/** The new key is there, and something on the chain is not. */
export function unreadyAnswer(rotation: Rotation & { readonly missing: readonly MissingStep[] }): Answer {
  const { chainId, signer, missing, sent } = rotation;
  const isSent = sent.length > 0;
  const steps = missing.filter(({ step }) => !(isSent && step === 'addOperator')).map(missingStepText);
  const text = [
    `The new signer of chain ${chainId} is ${signer.address} (${signer.keyId}). Nothing has been switched yet:`,
    ...sentLines(sent),
    ...steps,
    'Then run the same command again.',
  ].join('\n');
  return { json: { chainId, signer, switched: false, missing, sent }, text, exitCode: 3 };
}

/** The new key sends from now on; the calls take the former ones from the forwarders, when they are done. */
export function rotatedAnswer(
  rotation: Rotation & { readonly signers: readonly ChainSigner[]; readonly calls: readonly AdminCall[] },
): Answer {
  const { chainId, signer, sent, calls } = rotation;
  const former = new Set(calls.map(({ operator }) => operator));
  const text = [
    `${signer.address} is the signer of chain ${chainId} from now on.`,
    ...sentLines(sent),
    ...[...former].map((address) => {
      const status = `lane status --chain ${chainId} --signer ${address}`;
      return `${address} sees its last transactions through. When ${status} shows none any more:`;
    }),
    ...calls.map(adminCallText),
  ].join('\n');
  return { json: { ...rotation, switched: true, missing: [] }, text };
}

function sentLines(sent: readonly Hash[]): string[] {
  return sent.map((hash) => `The admin's transaction was sent: ${hash}`);
}
