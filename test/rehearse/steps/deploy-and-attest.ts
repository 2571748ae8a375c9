import { isVerified, verify } from 'imprimatur-verifier';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';
import { describeStack } from '../stack/cloudformation.ts';

/** The stack is deployed, and a publisher's authority has delegated to its key. */
export async function deploy(scene: Scene): Promise<void> {
  const { place } = scene;
  const { apiUrl, outputs } = await scene.deploy();
  const { host, protocol } = new URL(apiUrl);
  scene.proven(`the stack ${place.stackName} is deployed, with the outputs that commands read`);
  await until(`the API answers at ${host}`, { minutes: 3, everySeconds: 5 }, async () => {
    const answer = await fetch(`${apiUrl}/openapi.json`).catch(() => undefined);
    return answer?.status === 200;
  });
  scene.proven(`the API answers at ${host}, over ${protocol}`);
  scene.proven(`KMS made the key ${outputs.SigningKeyId.slice(0, 8)}…, and an authority delegated to it`);
  const asRole = 'CloudFormation deploys as the role of cdk bootstrap';
  const role = (await describeStack(place))?.RoleARN;
  if (role?.includes('-cfn-exec-role-')) scene.proven(asRole);
  else scene.notProven(asRole, `it does as ${role ?? 'the user, as on every emulator'}`);
}

/** An article is attested over HTTP, and verified on the chain by a program that shares no code with the service. */
export async function attest(scene: Scene): Promise<void> {
  scene.log('attesting an article');
  const id = await scene.post('First article.');
  const attestation = await scene.confirmed(id);
  scene.proven(`an article is confirmed, with index ${attestation.attestationIndex}`);
  const { rpcUrl, registryAddress } = scene.service();
  const text = scene.posted.find((one) => one.id === id)?.content ?? '';
  // Within this process: a command's arguments, where the URL would be, can be read by everybody on the machine.
  const { chainId, authorityAddress, attestationIndex, contentCid } = attestation;
  const reference = `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
  const verdict = await verify(reference, { providers: [rpcUrl], text });
  demand(isVerified(verdict), `the verifier rejects the attestation: ${verdict.reason}`);
  scene.proven('the verifier confirms it with data from the chain only');
  const { attestation: again } = await scene.client().attest(text);
  demand(again.id === id, 'the same content posted again got another attestation');
  scene.proven('the same content posted again gets the same attestation');
}
