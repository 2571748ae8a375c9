import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runVerifier, verifierArguments } from '../../../local/start/verify-attestation.ts';
import { demand } from '../demand.ts';
import type { Scene } from '../scene.ts';

/** An article is attested over HTTP, and verified on the chain by a program that shares no code with the service. */
export async function attest(scene: Scene): Promise<void> {
  scene.waitFor('attesting an article');
  const id = await scene.post('First article.');
  const attestation = await scene.confirmed(id);
  scene.proven(`an article is confirmed, with index ${attestation.attestationIndex}`);
  const folder = mkdtempSync(`${tmpdir()}/smoke-`);
  try {
    const path = `${folder}/article.txt`;
    writeFileSync(path, scene.posted.find((one) => one.id === id)?.content ?? '');
    const { verified, output } = await runVerifier(
      verifierArguments(scene.service(), attestation, path),
      true,
    );
    demand(verified, `the chain does not bear the attestation out: ${output}`);
    scene.proven('the verifier bears it out from the chain alone');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { attestation: again } = await scene.client().attest(scene.posted[0]?.content ?? '');
  demand(again.id === id, 'the same content posted again got another attestation');
  scene.proven('the same content posted again gets the same attestation');
}
