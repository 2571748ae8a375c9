import { concat, type Hex } from 'viem';
import { author, RegistryFixture } from '../../../../contracts/test/chain/registry.ts';
import { Provider } from '../../src/chain/provider.ts';
import { nameEndpoints } from '../../src/chain/rpc-endpoint.ts';
import { RpcState } from '../../src/proof/rpc-state.ts';
import { StoredRegistry } from '../../src/proof/stored-registry.ts';
import { encodeHeader } from '../../src/trie/block-header.ts';
import { readRecord } from '../../src/verdict/read-record.ts';
import type { AttestationReference, Outcome, ProofFile } from '../../src/verifier.ts';
import { attestArticle } from '../attested-article.ts';

/** Takes a proof like `takeProof`, but also of unknown contracts. */
async function proofOf(rpcUrl: string, reference: AttestationReference): Promise<ProofFile> {
  const [endpoint] = nameEndpoints([rpcUrl]);
  if (!endpoint) throw new Error('there is no endpoint');
  const provider = new Provider(endpoint, new AbortController().signal, () => {});
  const block = await provider.requestPart('eth_getBlockByNumber', ['latest', false]);
  const [number, hash] = [block.field('number').quantity(), block.field('hash').hash()];
  const header = encodeHeader(block.value as object);
  if (!header) throw new Error('the header cannot be rebuilt');
  const state = new RpcState(provider, number);
  const registry = StoredRegistry.ofVersion('AttestationRegistry 2', reference.registryAddress, state);
  if (!registry) throw new Error('the layout is missing');
  await state.code(reference.registryAddress);
  const { entry } = await readRecord(registry, reference);
  const time = new Date((entry?.timestamp ?? 0) * 1000).toISOString();
  return {
    version: 1,
    reference,
    content: { quoteRoot: entry?.quoteRoot ?? `0x${'0'.repeat(64)}` },
    attested: { time },
    storage: {
      block: { number, hash, header, final: false },
      accounts: await state.proofs(),
    },
  };
}

interface UnknownRegistryProof {
  readonly name: string;
  readonly proof: ProofFile;
  readonly text: string;
  readonly outcome: Outcome;
}

/** Valid proofs of attestations in unknown contracts. */
export async function unknownRegistryProofs(registry: RegistryFixture): Promise<UnknownRegistryProof[]> {
  const { rpcUrl, client } = registry.chain;
  const code = (await client.getCode({ address: registry.address })) ?? '0x';
  const attestIn = async (address: Hex, bytecode: Hex, text: string) => {
    await client.setCode({ address, bytecode });
    const { reference } = await attestArticle(new RegistryFixture(registry.chain, address), author, text);
    return proofOf(rpcUrl, reference);
  };
  const copy = await attestIn('0x00000000000000000000000000000000000c0de5', code, 'In a copy.');
  const longer = concat([code, '0x00']);
  const other = await attestIn('0x00000000000000000000000000000000000c0de6', longer, 'In other code.');
  const nowhere = await proofOf(rpcUrl, { ...copy.reference, registryAddress: `0x${'00'.repeat(18)}dead` });
  return [
    { name: 'same-code-elsewhere', proof: copy, text: 'In a copy.', outcome: 'unknown' },
    { name: 'other-code', proof: other, text: 'In other code.', outcome: 'unknown' },
    { name: 'no-contract', proof: nowhere, text: 'In a copy.', outcome: 'notFound' },
  ];
}
