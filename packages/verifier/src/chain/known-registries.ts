import { concat, getCreate2Address, isAddressEqual, keccak256 } from 'viem';
import type { Address, Hex } from '../hex.ts';
import known from '../known-registries.json' with { type: 'json' };

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
  /** Where it is with a reveal delay of 60 seconds, on every chain on which it is. */
  readonly address: Address;
  /** The constructor: what stands before the runtime code in the init code. After both stands the reveal delay. */
  readonly constructorCode: Hex;
  /** keccak256 of the runtime code with zeros in place of the reveal delay, which a deployment chooses. */
  readonly maskedCodeHash: Hex;
  /** Places of the reveal delay in the code, 32 bytes each. */
  readonly delayOffsetsBytes: readonly number[];
}

/**
 * The versions of our registry, newest first; how each is deployed; and the public deployment, whose source is not ours to
 * pin.
 */
const { versions, deployment, publicDeployment } = known as {
  readonly versions: readonly KnownCode[];
  readonly deployment: { readonly from: Address; readonly salt: Hex };
  readonly publicDeployment: {
    readonly version: string;
    readonly address: Address;
    readonly chainIds: readonly number[];
  };
};

export const knownCodes = versions;

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

/** Whether this is the public deployment of the interface. */
export function isPublicRegistry(chainId: number, address: Address): boolean {
  return hasPublicRegistry(chainId) && isAddressEqual(address, publicDeployment.address);
}

/** Whether the public deployment of the interface is on this chain. */
const hasPublicRegistry = (chainId: number): boolean => publicDeployment.chainIds.includes(chainId);

/** Addresses at which a registry may be on a chain; whether one is there its code shows. */
export function knownRegistries(chainId: number): readonly Address[] {
  const ours = versions.map(({ address }) => address);
  return hasPublicRegistry(chainId) ? [...ours, publicDeployment.address] : ours;
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
  const isPublic = isPublicRegistry(chainId, address);
  const version = isPublic ? publicDeployment.version : undefined;
  return { codeHash, version, revealDelaySeconds: undefined, codeIsKnown: false };
}
