import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  type LocalAccount,
  parseAbi,
  parseSignature,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { CostRow } from './attestation-costs.ts';
import type { InitCodeOf } from './eas-package.ts';
import { type Cost, type GasChain, share } from './gas-chain.ts';

const abi = parseAbi([
  'struct Data { address recipient; uint64 expirationTime; bool revocable; bytes32 refUID; bytes data; uint256 value; }',
  'struct Signature { uint8 v; bytes32 r; bytes32 s; }',
  'struct One { bytes32 schema; Data data; }',
  'struct Many { bytes32 schema; Data[] data; }',
  'struct Delegated { bytes32 schema; Data[] data; Signature[] signatures; address attester; uint64 deadline; }',
  'constructor(address registry)',
  'function register(string schema, address resolver, bool revocable) returns (bytes32)',
  'function attest(One request) payable returns (bytes32)',
  'function multiAttest(Many[] requests) payable returns (bytes32[])',
  'function multiAttestByDelegation(Delegated[] requests) payable returns (bytes32[])',
]);

const schema = 'bytes32 digest';
const schemaId = keccak256(encodePacked(['string', 'address', 'bool'], [schema, zeroAddress, true]));

const attestTypes = {
  Attest: [
    { name: 'attester', type: 'address' },
    { name: 'schema', type: 'bytes32' },
    { name: 'recipient', type: 'address' },
    { name: 'expirationTime', type: 'uint64' },
    { name: 'revocable', type: 'bool' },
    { name: 'refUID', type: 'bytes32' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint64' },
  ],
} as const;

/** The least attestation there is: a digest, for nobody in particular, without an end and without a reference. */
const dataOf = (digest: Hex) => ({
  recipient: zeroAddress,
  expirationTime: 0n,
  revocable: true,
  refUID: zeroHash,
  data: encodeAbiParameters([{ type: 'bytes32' }], [digest]),
  value: 0n,
});

async function deploy(chain: GasChain, account: LocalAccount, initCode: Hex): Promise<Address> {
  const { contractAddress } = await chain.send(account, undefined, initCode);
  return contractAddress ?? zeroAddress;
}

async function deployEas(chain: GasChain, account: LocalAccount, initCodeOf: InitCodeOf): Promise<Address> {
  const registry = await deploy(chain, account, initCodeOf('SchemaRegistry'));
  const args = [schema, zeroAddress, true] as const;
  await chain.send(account, registry, encodeFunctionData({ abi, functionName: 'register', args }));
  return deploy(chain, account, encodeDeployData({ abi, bytecode: initCodeOf('EAS'), args: [registry] }));
}

type Data = ReturnType<typeof dataOf>;

/** Signatures of an attester for attestations that others send, the first of them with that nonce. */
function sign(attester: LocalAccount, eas: Address, batch: readonly Data[], firstNonce: bigint) {
  const domain = { name: 'EAS', version: '1.4.0', chainId: 31337, verifyingContract: eas };
  const terms = { attester: attester.address, schema: schemaId, deadline: 0n };
  return Promise.all(
    batch.map(async (data, at) => {
      const message = { ...data, ...terms, nonce: firstNonce + BigInt(at) };
      const signature = await attester.signTypedData({
        domain,
        types: attestTypes,
        primaryType: 'Attest',
        message,
      });
      const { r, s, yParity } = parseSignature(signature);
      return { v: 27 + yParity, r, s };
    }),
  );
}

/** Measures attestations of a digest alone by EAS: no commit, no quote root, no way from the digest to them. */
export async function easCosts(chain: GasChain, initCodeOf: InitCodeOf, count: number): Promise<CostRow[]> {
  const [sender, attester] = [await chain.account(3), await chain.account(4)];
  const eas = await deployEas(chain, sender, initCodeOf);
  const send = async (data: Hex): Promise<Cost> => (await chain.send(sender, eas, data)).cost;
  const batch = () => Array.from({ length: count }, () => dataOf(chain.word()));

  const attest = () => {
    const args = [{ schema: schemaId, data: dataOf(chain.word()) }] as const;
    return send(encodeFunctionData({ abi, functionName: 'attest', args }));
  };
  const multiAttest = () => {
    const args = [[{ schema: schemaId, data: batch() }]] as const;
    return send(encodeFunctionData({ abi, functionName: 'multiAttest', args }));
  };
  const byDelegation = async (firstNonce: bigint) => {
    const data = batch();
    const signatures = await sign(attester, eas, data, firstNonce);
    const request = { schema: schemaId, data, signatures, attester: attester.address, deadline: 0n };
    const args = [[request]] as const;
    return send(encodeFunctionData({ abi, functionName: 'multiAttestByDelegation', args }));
  };

  // As for the registry, what is paid once by an attester is left out.
  await byDelegation(0n);
  const rows: [string, Cost, number][] = [
    ['EAS attest', await attest(), 1],
    [`EAS multiAttest of ${count}`, await multiAttest(), count],
    [`EAS multiAttestByDelegation of ${count}`, await byDelegation(BigInt(count)), count],
  ];
  return rows.map(([name, cost, of]) => ({ name, sentBy: 'key', cost: share([cost], of) }));
}
