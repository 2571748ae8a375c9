import { demand } from './demand.ts';
import type { Scene } from './scene.ts';

/** Twice what the alarm on unauthenticated ones waits for, 100 within five minutes, since a border of such may fall among them. */
export const strangers = 250;

/** Sends requests without a valid key, five at once. @throws SmokeFailedError unless each is refused with 401 */
export async function sendStrangers(scene: Scene): Promise<void> {
  const { apiUrl } = scene.service();
  const headers = { authorization: 'Bearer imp_live_nobody' };
  for (let sent = 0; sent < strangers; sent += 5) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fetch(`${apiUrl}/v1/chains`, { headers })),
    );
    const other = answers.find(({ status }) => status !== 401);
    demand(other === undefined, `a request without a valid key got ${other?.status}`);
  }
}
