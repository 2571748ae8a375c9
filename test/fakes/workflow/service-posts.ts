import { parseContent } from '../../../functions/domain/attestation/content.ts';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import { type Creation, createAttestation } from '../../../functions/domain/requests/create-attestation.ts';
import type { Services } from '../../../functions/domain/services.ts';

import { permitted } from '../ports/permitted.ts';

/** Function that runs one invocation as a process of its own, which may be killed. */
type RunProcess = <Result>(run: (mortal: Services) => Promise<Result>) => Promise<Result>;

/** Posts of a test: what a client sends to a running service. */
export function postsOf(process: RunProcess) {
  const post = (caller: Caller, text: string): Promise<Creation> =>
    process((mortal) =>
      createAttestation(permitted('api/create-attestation', mortal), caller, { content: parseContent(text) }),
    );
  return {
    post,
    /** Posts again until it is answered, as a client does. */
    postUntilAnswered: async (caller: Caller, text: string): Promise<Creation> => {
      for (;;) {
        try {
          return await post(caller, text);
        } catch {
          // Unanswered, or refused for now: the same request is safe to repeat.
        }
      }
    },
  };
}
