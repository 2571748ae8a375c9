import { encodeFunctionData, getAddress, hashMessage, isAddressEqual, parseAbi, recoverAddress } from 'viem';
import { readAtNewest } from '../chain/block-view.ts';
import { defaultTimeoutMilliseconds, withDeadline } from '../chain/deadline.ts';
import { Provider, ProviderFaultError } from '../chain/provider.ts';
import { nameEndpoints, type RpcEndpoint } from '../chain/rpc-endpoint.ts';
import type { Address, Hex } from '../hex.ts';
import { checkChain } from '../verdict/read-evidence.ts';
import type { VerifyOptions } from '../verdict/verify.ts';
import type { AuthorityEntry } from './authorities-file.ts';
import { parseDomain } from './domain.ts';

/** Options for signatures of contracts. */
export interface SignatureOptions extends Pick<VerifyOptions, 'timeoutMilliseconds'> {
  /** Trusted providers of the chain. Without them, a contract's signature is `unknown`. */
  readonly providers?: readonly RpcEndpoint[] | undefined;
}

/** Whether a signature is valid; `unknown` if too few providers answer, or they disagree. */
export type SignatureState = 'valid' | 'invalid' | 'unknown';

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** A contract's answer to a valid signature (EIP-1271), as a word. */
const magicWord = `0x1626ba7e${'0'.repeat(56)}`;

async function isSignedByKey(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  // 65 bytes, the last 27 or 28.
  if (!/^0x[0-9a-f]{128}1[bc]$/i.test(signature)) return false;
  return recoverAddress({ hash, signature }).then(
    (signer) => isAddressEqual(signer, address),
    () => false,
  );
}

async function queryContract(provider: Provider, chainId: number, address: Address, data: Hex) {
  try {
    await checkChain(provider, chainId);
    return await readAtNewest(provider, async (view) => {
      if ((await view.code(address)) === '0x') return false;
      return (await view.call(address, data))?.toLowerCase() === magicWord;
    });
  } catch (error) {
    if (error instanceof ProviderFaultError) return undefined;
    throw error;
  }
}

async function checkContractSignature(
  { address, signature }: AuthorityEntry,
  chainId: number,
  hash: Hex,
  { providers = [], timeoutMilliseconds = defaultTimeoutMilliseconds }: SignatureOptions,
): Promise<SignatureState> {
  const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [hash, signature] });
  const answers = await withDeadline(timeoutMilliseconds, (deadline) =>
    Promise.all(
      nameEndpoints(providers).map((endpoint) =>
        queryContract(new Provider(endpoint, deadline, () => {}), chainId, address, data),
      ),
    ),
  );
  const received = answers.filter((answer) => answer !== undefined);
  if (2 * received.length <= answers.length || new Set(received).size !== 1) return 'unknown';
  return received[0] ? 'valid' : 'invalid';
}

/**
 * Checks the signature of an entry by the authority's key or else by its contract on this chain (EIP-1271). On another
 * chain, the contract may have another owner.
 * @throws DomainInvalidError, RpcUrlInvalidError
 */
export async function checkSignature(
  domain: string,
  entry: AuthorityEntry,
  chainId: number,
  options: SignatureOptions = {},
): Promise<SignatureState> {
  const hash = hashMessage(authorityMessage({ ...entry, domain }));
  if (await isSignedByKey(entry.address, hash, entry.signature)) return 'valid';
  return checkContractSignature(entry, chainId, hash, options);
}

/** The signed part of an entry: all fields but `until` and the signature, with the domain. */
export interface AuthorityStatement extends Pick<AuthorityEntry, 'address' | 'chainIds' | 'since'> {
  readonly domain: string;
}

/** The text that an authority signs (EIP-191), without a final newline. @throws DomainInvalidError */
export function authorityMessage({ domain, address, chainIds, since }: AuthorityStatement): string {
  const name = parseDomain(domain);
  return [
    `I attest texts in the name of ${name}.`,
    '',
    'Attestation authority, version 1',
    `Domain: ${name}`,
    `Authority: ${getAddress(address)}`,
    `Chain IDs: ${chainIds.join(', ')}`,
    `Since: ${since}`,
  ].join('\n');
}
