import { concat, getCreate2Address, isAddressEqual, keccak256 } from 'viem';
import type { Address, Hex } from '../hex.ts';

/** A registry's code, as far as it is known. */
export interface RegistryCode {
  /** keccak256 of the whole code. */
  readonly codeHash: Hex;
  /** Name of the version; `undefined` for a contract that is no known registry, whose answers mean nothing. */
  readonly version: string | undefined;
  /** Least seconds between commit and reveal; `undefined` where the code does not show it. */
  readonly revealDelaySeconds: number | undefined;
  /** Whether code and constructor are known; the public deployment is known by chain and address only. */
  readonly codeIsKnown: boolean;
}

interface KnownCode {
  readonly version: string;
  /** The constructor: what stands before the runtime code in the init code. After both stands the reveal delay. */
  readonly constructorCode: Hex;
  /** keccak256 of the runtime code with zeros in place of the reveal delay, which a deployment chooses. */
  readonly maskedCodeHash: Hex;
  /** Places of the reveal delay in the code, 32 bytes each. */
  readonly delayOffsetsBytes: readonly number[];
}

/** The versions of this project's `AttestationRegistry`, newest first. */
const knownCodes: readonly KnownCode[] = [
  {
    version: 'AttestationRegistry 2',
    constructorCode:
      '0x60a0604052346100a5576125bc6020813803918261001c816100a9565b9384928339810103126100a5575165ffffffffffff81168091036100a55761004460606100a9565b60408082523660208301376a61004180600a3d393df30081526001600160a01b0390604b906015015ff01615610096576080526040516124d990816100e382396080518181816101530152611e6c0152f35b63cfa5c81160e01b5f5260045ffd5b5f80fd5b6040519190601f01601f191682016001600160401b038111838210176100ce57604052565b634e487b7160e01b5f52604160045260245ffdfe',
    maskedCodeHash: '0x1c682e60f6a08b307894ef8ac5e47f22669a71ef26ba23abfff2c839acf0f3d3',
    delayOffsetsBytes: [339, 7788],
  },
  {
    version: 'AttestationRegistry 1',
    constructorCode:
      '0x60a034606d57601f61166b38819003918201601f19168301916001600160401b03831184841017607157808492602094604052833981010312606d575165ffffffffffff8116809103606d576080526040516115e590816100868239608051818181610127015261047a0152f35b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe',
    maskedCodeHash: '0x3fea25035b020dd1a2f19eadb495780680f38e193716dcc2983c328b8f293d42',
    delayOffsetsBytes: [295, 1146],
  },
];

/** How each version is deployed: through the deterministic deployment proxy, which is at this address on every chain. */
const deployment = {
  from: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  salt: '0xb592d9c6fd7caacd02f6a6445ae1207cc1b84d6647aeef58bbf1d8766c725f1b',
} as const;

/** The public deployment of the interface. Its source is not ours to read, so its code is not pinned. */
const publicRegistry: { readonly address: Address; readonly chainIds: readonly number[] } = {
  address: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381',
  chainIds: [1, 42_161, 8453, 11_155_111],
};

const wordDigits = 64;
const zeroWord = '0'.repeat(wordDigits);

function maskDelay(code: Hex, offsetsBytes: readonly number[]): { masked: Hex; words: Set<string> } {
  const words = new Set<string>();
  let masked = code.slice(2);
  for (const offset of offsetsBytes) {
    const start = 2 * offset;
    words.add(masked.slice(start, start + wordDigits));
    masked = masked.slice(0, start) + zeroWord + masked.slice(start + wordDigits);
  }
  return { masked: `0x${masked}`, words };
}

/** The reveal delay when the code is of this version, deployed with any delay by this version's constructor. */
function delayIn(code: Hex, address: Address, known: KnownCode): number | undefined {
  const { masked, words } = maskDelay(code, known.delayOffsetsBytes);
  const [word = ''] = words;
  // The compiler writes the same word at each place: other words are other code.
  if (keccak256(masked) !== known.maskedCodeHash || words.size !== 1) return undefined;
  // Another constructor can leave the same code, and attestations of anyone in the storage. The address is a hash of it.
  const bytecode = concat([known.constructorCode, masked, `0x${word}`]);
  const isOurs = isAddressEqual(address, getCreate2Address({ ...deployment, bytecode }));
  return isOurs ? Number(`0x${word}`) : undefined;
}

/** Recognizes the registry at an address by its code and its constructor; `undefined` where there is no code. */
export function recognizeRegistry(chainId: number, address: Address, code: Hex): RegistryCode | undefined {
  if (code === '0x') return undefined;
  const codeHash = keccak256(code);
  for (const known of knownCodes) {
    const revealDelaySeconds = delayIn(code, address, known);
    if (revealDelaySeconds !== undefined)
      return { codeHash, version: known.version, revealDelaySeconds, codeIsKnown: true };
  }
  const isPublic =
    publicRegistry.chainIds.includes(chainId) && isAddressEqual(address, publicRegistry.address);
  const version = isPublic ? 'the public deployment' : undefined;
  return { codeHash, version, revealDelaySeconds: undefined, codeIsKnown: false };
}
