import { isVerified, verify } from 'imprimatur-verifier';
import { demand } from '../demand.ts';
import type { Scene } from '../scene.ts';

/** An article is attested over HTTP, and verified on the chain by a program that shares no code with the service. */
export async function attest(scene: Scene): Promise<void> {
  scene.waitFor('attesting an article');
  const id = await scene.post('First article.');
  const attestation = await scene.confirmed(id);
  scene.proven(`an article is confirmed, with index ${attestation.attestationIndex}`);
  const { rpcUrl, registryAddress } = scene.service();
  const text = scene.posted.find((one) => one.id === id)?.content ?? '';
  // Within this process: a command's arguments, where the URL would be, can be read by everybody on the machine.
  const { chainId, authorityAddress, attestationIndex, contentCid } = attestation;
  const reference = `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
  const verdict = await verify(reference, { providers: [rpcUrl], text });
  demand(isVerified(verdict), `the chain does not bear the attestation out: ${verdict.reason}`);
  scene.proven('the verifier bears it out from the chain alone');
  const { attestation: again } = await scene.client().attest(scene.posted[0]?.content ?? '');
  demand(again.id === id, 'the same content posted again got another attestation');
  scene.proven('the same content posted again gets the same attestation');
}
