import type { Command } from 'commander';
import { parseId } from '../arguments.ts';
import type { Act, Answer, Desk } from '../desk.ts';
import { attestationText } from '../text.ts';
import { addWaitOptions, awaitOutcome, type WaitChoice } from '../wait.ts';

const explanation = `
Without --wait the exit code is 0 for every status; with it, it tells a confirmed attestation from a failed one.`;

export function status(program: Command, act: Act): void {
  const command = program
    .command('status')
    .description('Show an attestation.')
    .argument('<id>', "the attestation's id", parseId)
    .addHelpText('after', explanation);
  addWaitOptions(command, 'it is confirmed').action((id: string, choice: WaitChoice) =>
    act((desk) => show(desk, id, choice)),
  );
}

async function show(desk: Desk, id: string, choice: WaitChoice): Promise<Answer> {
  const attestation = choice.wait
    ? await awaitOutcome(desk, choice, { id, again: `imprimatur status ${id} --wait` }, (options) =>
        desk.client.waitUntilConfirmed(id, options),
      )
    : await desk.client.get(id, { signal: desk.signal });
  return { json: attestation, text: attestationText(attestation) };
}
