import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { parseId } from '../arguments.ts';
import { waitExitCodes } from '../help.ts';
import type { CommandResult, RunCommand, Session } from '../session.ts';
import { attestationText } from '../text.ts';
import { addWaitOptions, awaitOutcome, type WaitFlags } from '../wait.ts';

const help = helpText({
  notes: `Without --wait, the exit code is 0 for every status. With --wait, it is 1 if the
attestation failed.`,
  examples: [
    'imprimatur status 01234567-89ab-cdef-0123-456789abcdef',
    'imprimatur status 01234567-89ab-cdef-0123-456789abcdef --wait',
  ],
  exitCodes: waitExitCodes,
});

export function status(program: Command, run: RunCommand): void {
  const command = program
    .command('status')
    .description('Show an attestation.')
    .argument('<id>', 'ID of the attestation', parseId)
    .addHelpText('after', help);
  addWaitOptions(command, 'it is confirmed').action((id: string, options: WaitFlags) =>
    run((session) => show(session, id, options)),
  );
}

async function show(session: Session, id: string, options: WaitFlags): Promise<CommandResult> {
  const statusCommand = `npx imprimatur status ${id} --wait`;
  const attestation = options.wait
    ? await awaitOutcome(session, options, { id, statusCommand }, (wait) =>
        session.client.waitUntilConfirmed(id, wait),
      )
    : await session.client.get(id, { signal: session.signal });
  return { json: attestation, text: attestationText(attestation) };
}
