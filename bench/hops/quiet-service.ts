import { readFileSync } from 'node:fs';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Environment } from '../../functions/domain/settings.ts';
import { awsVariables } from '../../local/aws-endpoint.ts';
import { createPublisher } from '../../local/create-publisher.ts';
import { delegateAuthority } from '../../local/delegate-authority.ts';
import type { Stack } from '../../local/stack.ts';
import { storeRpcUrl } from '../../local/store-rpc-url.ts';
import { createQuietMachines } from './quiet-machines.ts';
import { createQuietSigner } from './quiet-signer.ts';
import { createQuietTables } from './quiet-tables.ts';

/** What sets a quiet service apart, and the way to the emulator and to the chain that its functions are given. */
export interface QuietOptions {
  /** Of tables, state machines and parameters. */
  readonly prefix: string;
  readonly awsUrl: string;
  readonly rpcUrl: string;
}

/**
 * A second service beside the deployed one: same settings and registry; tables, key and state machines of its own, so
 * that only what the bench calls moves them.
 */
export interface QuietService {
  readonly variables: Record<string, string>;
  readonly tables: Pick<Environment, 'ATTESTATIONS_TABLE' | 'LANES_TABLE' | 'ORGANIZATIONS_TABLE'>;
  readonly signerAddress: Address;
  readonly organizationId: string;
  /** Of a publisher whose authority has delegated, and of one whose authority has not. */
  readonly apiKey: string;
  readonly strangerApiKey: string;
}

async function createPublishers(stack: Stack, organizationsTable: string, delegateAddress: Address) {
  const { chain, endpoint, file } = stack;
  const publisher = (name: string, authorityAddress: Address) =>
    createPublisher(endpoint, organizationsTable, {
      ...{ name, authorityAddress, defaultChainId: chain.chainId, now: new Date() },
    });
  const authority = privateKeyToAccount(generatePrivateKey());
  const { registryAddress } = file;
  await delegateAuthority(chain, { registryAddress, authority, delegateAddress });
  const { apiKey, organizationId } = await publisher('Bench', authority.address);
  const stranger = await publisher('Stranger', privateKeyToAccount(generatePrivateKey()).address);
  return { organizationId, apiKey, strangerApiKey: stranger.apiKey };
}

/** @param settingsPath what the deployed functions were told */
export async function createQuietService(
  stack: Stack,
  { prefix, awsUrl, rpcUrl }: QuietOptions,
  settingsPath: string,
): Promise<QuietService> {
  const { endpoint, chain } = stack;
  const { SIGNING_KEY_ID, address } = await createQuietSigner(endpoint);
  const tables = await createQuietTables(endpoint, stack.outputs, prefix);
  const machines = await createQuietMachines(endpoint, prefix);
  await storeRpcUrl(endpoint, prefix, { chainId: chain.chainId, rpcUrl });
  const environment: Environment = {
    ...{ ...tables, ...machines, SIGNING_KEY_ID },
    RPC_URLS_PATH: `/${prefix}/rpc-urls`,
    SETTINGS: JSON.stringify(JSON.parse(readFileSync(settingsPath, 'utf8'))),
    ROUTES: '{}',
  };
  return {
    variables: { ...awsVariables({ ...endpoint, url: awsUrl }), ...environment },
    tables,
    signerAddress: address,
    ...(await createPublishers(stack, tables.ORGANIZATIONS_TABLE, address)),
  };
}
