import type { Command } from 'commander';
import { parseId } from '../arguments.ts';
import type { Act, CommandAnswer, Session } from '../session.ts';
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
    act((session) => show(session, id, choice)),
  );
}

async function show(session: Session, id: string, choice: WaitChoice): Promise<CommandAnswer> {
  const attestation = choice.wait
    ? await awaitOutcome(session, choice, { id, again: `imprimatur status ${id} --wait` }, (options) =>
        session.client.waitUntilConfirmed(id, options),
      )
    : await session.client.get(id, { signal: session.signal });
  return { json: attestation, text: attestationText(attestation) };
}
