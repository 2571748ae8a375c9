import { isVerified, verify } from 'imprimatur-verifier';
import { assert, waitUntil } from '../conditions.ts';
import { describeStack } from '../stack/cloudformation.ts';
import type { StepContext } from '../step-context.ts';

/** Deploys the stack, and creates a publisher whose authority has delegated to the stack's key. */
export async function deploy(context: StepContext): Promise<void> {
  const { target } = context;
  const { apiUrl, outputs } = await context.deploy();
  const { host, protocol } = new URL(apiUrl);
  context.proven(`the stack ${target.stackName} is deployed, with the outputs that commands read`);
  await waitUntil(`the API answers at ${host}`, { minutes: 3, everySeconds: 5 }, async () => {
    const answer = await fetch(`${apiUrl}/openapi.json`).catch(() => undefined);
    return answer?.status === 200;
  });
  context.proven(`the API answers at ${host}, over ${protocol}`);
  context.proven(`KMS made the key ${outputs.SigningKeyId.slice(0, 8)}…, and an authority delegated to it`);
  const asSetup = 'setup prepares the account: bootstrap, logging role, quotas';
  if (target.isAws) context.proven(asSetup);
  else context.notProven(asSetup, 'an emulator has none of them');
  const asRole = 'CloudFormation deploys as the role of cdk bootstrap';
  const role = (await describeStack(target))?.RoleARN;
  if (role?.includes('-cfn-exec-role-')) context.proven(asRole);
  else context.notProven(asRole, `it deploys as ${role ?? 'the user, as on every emulator'}`);
}

/** Attests an article over HTTP, and verifies it on the chain with a package that imports nothing of the service. */
export async function attest(context: StepContext): Promise<void> {
  context.log('attesting an article');
  const id = await context.post('First article.');
  const attestation = await context.waitUntilConfirmed(id);
  context.proven(`an article is confirmed, with index ${attestation.attestationIndex}`);
  const { rpcUrl, registryAddress } = context.service();
  const text = context.posted.find((one) => one.id === id)?.content ?? '';
  // Verifies in this process. A command's arguments would show the URL to everybody on the machine.
  const { chainId, authorityAddress, attestationIndex, contentCid } = attestation;
  const reference = `eip155:${chainId}:${registryAddress}/${attestationIndex}/${authorityAddress}/${contentCid}`;
  const verdict = await verify(reference, { providers: [rpcUrl], text });
  assert(isVerified(verdict), `the verifier rejects the attestation: ${verdict.reason}`);
  context.proven('the verifier confirms it with data from the chain only');
  const { attestation: again } = await context.client().attest(text);
  assert(again.id === id, 'the same content posted again got another attestation');
  context.proven('the same content posted again gets the same attestation');
}
