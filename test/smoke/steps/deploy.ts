import { until } from '../demand.ts';
import type { Scene } from '../scene.ts';

/** The stack is deployed, and a publisher's authority has delegated to its key. */
export async function deploy(scene: Scene): Promise<void> {
  const { place } = scene;
  const { apiUrl, outputs } = await scene.deploy();
  scene.proven(`the stack ${place.stackName} is deployed, with the outputs that commands read`);
  await until(`the API answers at ${new URL(apiUrl).host}`, { minutes: 3, everySeconds: 5 }, async () => {
    const answer = await fetch(`${apiUrl}/openapi.json`).catch(() => undefined);
    return answer?.status === 200;
  });
  scene.proven(`the API answers at ${new URL(apiUrl).host}, over ${new URL(apiUrl).protocol}`);
  scene.proven(`KMS made the key ${outputs.SigningKeyId.slice(0, 8)}…, and an authority delegated to it`);
  const byRoles = 'deployment by the roles of cdk bootstrap';
  const problem = await place.bootstrapProblem();
  if (problem === undefined) scene.proven(byRoles);
  else scene.notProven(byRoles, problem);
}
