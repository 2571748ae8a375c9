import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { parseId } from '../arguments.ts';
import { waitExitCodes } from '../help.ts';
import type { RunCommand, Session } from '../session.ts';
import { attestationText } from '../text.ts';
import { addWaitOptions, awaitOutcome, type WaitFlags } from '../wait.ts';

const help = helpText({
  notes: `Readers who verify the older article then find the newer one. The older
attestation must be confirmed. A later link replaces this one.`,
  examples: ['imprimatur link OLD-ID NEW-ID', 'imprimatur link OLD-ID NEW-ID --wait'],
  exitCodes: waitExitCodes,
});

export function link(program: Command, run: RunCommand): void {
  const command = program
    .command('link')
    .description('Link an attestation to its correction.')
    .argument('<id>', 'ID of the older attestation', parseId)
    .argument('<childId>', 'ID of the newer attestation', parseId)
    .addHelpText('after', help);
  addWaitOptions(command, 'the link is mined').action((id: string, childId: string, options: WaitFlags) =>
    run((session) => submit(session, id, childId, options)),
  );
}

async function submit(session: Session, id: string, childId: string, options: WaitFlags) {
  const { queued, attestation } = await session.client.link(id, childId, { signal: session.signal });
  const statusCommand = `npx imprimatur link ${id} ${childId} --wait`;
  if (options.wait && queued) {
    const outcome = await awaitOutcome(session, options, { id, statusCommand }, (wait) =>
      session.client.waitUntilLinked(id, childId, wait),
    );
    return { json: { ...outcome, queued: false }, text: attestationText(outcome) };
  }
  const hint = queued ? `\n\nto wait for it: ${statusCommand}` : '';
  return { json: { ...attestation, queued }, text: `${attestationText(attestation)}${hint}` };
}
