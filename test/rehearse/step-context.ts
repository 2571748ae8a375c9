import { randomUUID } from 'node:crypto';
import { createPublicClient, http, parseAbi } from 'viem';
import { localClient } from '../../local/stack/local-client.ts';
import { runAdminCommand, tryAdminCommand } from './admin-command.ts';
import { assert } from './conditions.ts';
import type { StepReporter } from './rehearsal.ts';
import type { Service, Target } from './target.ts';

export function makeDeployment(target: Target) {
  const marker = `rehearsal-${randomUUID()}`;
  const posted: { readonly id: string; readonly content: string }[] = [];
  let deployed: Service | undefined;
  const service = (): Service => {
    assert(deployed !== undefined, 'nothing is deployed yet');
    return deployed;
  };
  const client = () => localClient(service());
  return {
    ...{ target, startedAt: new Date(), service, client },
    /** Text in every posted article, which must not appear in logs. */
    marker,
    /** Every attestation that was accepted, with its content. */
    posted,
    deploy: async (): Promise<Service> => {
      deployed = await target.deploy();
      return deployed;
    },
    /** Posts a new article. @returns its attestation's id */
    post: async (text: string): Promise<string> => {
      const content = `${text} ${marker} ${posted.length}`;
      const { attestation } = await client().attest(content);
      posted.push({ id: attestation.id, content });
      return attestation.id;
    },
    /** Waits long enough for the sweep, which checks each attestation within ten minutes. */
    waitUntilConfirmed: (id: string) => client().waitUntilConfirmed(id, { timeoutSeconds: 1_200 }),
    /** Digests of all attestations in the registry of an emulator's chain. */
    attestedDigests: async (): Promise<string[]> => {
      const { rpcUrl, registryAddress: address } = service();
      const events = parseAbi(['event Attested(address indexed authority, bytes32 ipfsHash)']);
      const logs = await createPublicClient({ transport: http(rpcUrl) }).getLogs({
        address,
        events,
        fromBlock: 0n,
      });
      return logs.map(({ args }) => String(args.ipfsHash)).sort();
    },
    admin: (...argv: string[]) => runAdminCommand(target, ...argv),
    tryAdmin: (...argv: string[]) => tryAdminCommand(target, argv),
  };
}

/** Everything that a step uses: the deployment, and the functions for its report. */
export type StepContext = ReturnType<typeof makeDeployment> & StepReporter;

export type Step = (context: StepContext) => Promise<void>;
