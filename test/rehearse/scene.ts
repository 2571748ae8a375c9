import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createPublicClient, http, parseAbi } from 'viem';
import type { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import type { StackOutputs } from '../../local/stack/deploy-service.ts';
import { localClient } from '../../local/stack/local-client.ts';
import type { StackFile } from '../../local/stack/stack-file.ts';
import type { SettingsInput } from '../../local/stack/stack-settings.ts';
import { demand, type Talk } from './run.ts';

type Reached = 'apiUrl' | 'apiKey' | 'organizationId' | 'chainId' | 'rpcUrl' | 'registryAddress';

/** The deployed service and a publisher whose authority has delegated to it. */
export interface Service extends Pick<StackFile, Reached | 'signerAddress' | 'revealDelaySeconds'> {
  readonly outputs: StackOutputs;
}

/** A stack, and how to reach it: in a Region for which the SDK finds credentials, or on an emulator. */
export interface StackOfAws {
  readonly stackName: string;
  readonly aws: ReturnType<typeof clientOptions> | { readonly region: string };
}

export interface Place extends StackOfAws {
  readonly isAws: boolean;
  /** Description of where and what, for the report. */
  readonly title: string;
  /** Checkout whose version is deployed. */
  readonly version: string;
  /** Options with which the operators' command finds the deployment. */
  readonly adminOptions: readonly string[];
  deploy(): Promise<Service>;
  /** Updates the deployment. @param allAtOnce without a canary */
  update(changes: Partial<SettingsInput>, allAtOnce: boolean): Promise<void>;
  settings(): SettingsInput;
  /** Saves the tables. @returns a function that restores them, for the settings */
  markMoment(): Promise<() => Promise<SettingsInput['existing']>>;
  /** Destroys the stack after running changes. */
  destroy(): Promise<void>;
  /** Resources that remain in the account, with how to remove them. */
  leftBehind(): readonly string[];
  stop(): Promise<void>;
}

export interface AdminAnswer {
  readonly exitCode: number;
  readonly json: Record<string, unknown>;
}

/** Runs an operators' command of the version that is deployed. */
function runAdmin({ version, adminOptions }: Place, argv: readonly string[]): Promise<AdminAnswer> {
  const command = [`${version}/admin/main.ts`, ...argv, ...adminOptions, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: version }, (error, stdout) => {
      // A failure has its object too; without one the command itself is broken.
      if (stdout === '') reject(error ?? new Error('the command printed nothing'));
      else resolve({ exitCode: Number(error?.code ?? 0), json: JSON.parse(stdout) });
    });
  });
}

/** Runs an operators' command. @returns its JSON @throws PlainError unless it exits with 0 */
export async function askAdmin(place: Place, ...argv: string[]): Promise<Record<string, unknown>> {
  const { exitCode, json } = await runAdmin(place, argv);
  demand(exitCode === 0, `admin ${argv.slice(0, 2).join(' ')}: ${json.error ?? `exit code ${exitCode}`}`);
  return json;
}

export function makeService(place: Place) {
  const marker = `rehearsal-${randomUUID()}`;
  const posted: { readonly id: string; readonly content: string }[] = [];
  let deployed: Service | undefined;
  const service = (): Service => {
    demand(deployed !== undefined, 'nothing is deployed yet');
    return deployed;
  };
  const client = () => localClient(service());
  return {
    ...{ place, startedAt: new Date(), service, client },
    /** Text in every posted article, which must not appear in logs. */
    marker,
    /** Every attestation that was accepted, with its content. */
    posted,
    deploy: async (): Promise<Service> => {
      deployed = await place.deploy();
      return deployed;
    },
    /** Posts a new article. @returns its attestation's id */
    post: async (what: string): Promise<string> => {
      const content = `${what} ${marker} ${posted.length}`;
      const { attestation } = await client().attest(content);
      posted.push({ id: attestation.id, content });
      return attestation.id;
    },
    /** Waits long enough for the sweep, which checks each within ten minutes. */
    confirmed: (id: string) => client().waitUntilConfirmed(id, { timeoutSeconds: 1_200 }),
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
    admin: (...argv: string[]) => askAdmin(place, ...argv),
    tryAdmin: (...argv: string[]) => runAdmin(place, argv),
  };
}

export type Scene = ReturnType<typeof makeService> & Talk;

export type Step = (scene: Scene) => Promise<void>;
