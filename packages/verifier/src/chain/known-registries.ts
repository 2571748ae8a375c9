import { concat, getCreate2Address, isAddressEqual, keccak256 } from 'viem';
import type { Address, Hex } from '../hex.ts';
import known from '../known-registries.json' with { type: 'json' };

/** The code at a registry's address, and the properties that it is known to have. */
export interface RegistryCode {
  /** keccak256 of the whole code. */
  readonly codeHash: Hex;
  /** Name of the version; `undefined` for a contract that is not a known registry. */
  readonly version: string | undefined;
  /** Minimum seconds between commit and reveal; `undefined` if the code does not show it. */
  readonly revealDelaySeconds: number | undefined;
  /** Whether code and constructor are known; the public deployment is recognized by chain and address only. */
  readonly codeIsKnown: boolean;
}

interface KnownCode {
  readonly version: string;
  /** Address with a reveal delay of 60 seconds, the same on every chain. */
  readonly address: Address;
  /** The constructor, which precedes the runtime code and the reveal delay in the init code. */
  readonly constructorCode: Hex;
  /** keccak256 of the runtime code with zeros in place of the reveal delay. */
  readonly maskedCodeHash: Hex;
  /** Offsets of the reveal delay in the code, 32 bytes each. */
  readonly delayOffsetsBytes: readonly number[];
}

/** Our versions, newest first, their deployment, and the public deployment, whose code is not known. */
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

function maskDelay(code: Hex, offsetsBytes: readonly number[]): { masked: Hex; delayWords: Set<string> } {
  const delayWords = new Set<string>();
  let masked = code.slice(2);
  for (const offset of offsetsBytes) {
    const start = 2 * offset;
    delayWords.add(masked.slice(start, start + wordDigits));
    masked = masked.slice(0, start) + zeroWord + masked.slice(start + wordDigits);
  }
  return { masked: `0x${masked}`, delayWords };
}

function findRevealDelay(code: Hex, address: Address, known: KnownCode): number | undefined {
  const { masked, delayWords } = maskDelay(code, known.delayOffsetsBytes);
  const [word = ''] = delayWords;
  // The compiler writes the same word at each offset.
  if (keccak256(masked) !== known.maskedCodeHash || delayWords.size !== 1) return undefined;
  // Another constructor could deploy the same code with forged attestations in storage. The address proves the constructor.
  const bytecode = concat([known.constructorCode, masked, `0x${word}`]);
  const isOurs = isAddressEqual(address, getCreate2Address({ ...deployment, bytecode }));
  return isOurs ? Number(`0x${word}`) : undefined;
}

/** Whether this is the public deployment of the interface. */
export function isPublicRegistry(chainId: number, address: Address): boolean {
  return hasPublicRegistry(chainId) && isAddressEqual(address, publicDeployment.address);
}

const hasPublicRegistry = (chainId: number): boolean => publicDeployment.chainIds.includes(chainId);

/** Addresses at which a chain may have a known registry. */
export function knownRegistries(chainId: number): readonly Address[] {
  const ours = versions.map(({ address }) => address);
  return hasPublicRegistry(chainId) ? [...ours, publicDeployment.address] : ours;
}

/** Recognizes the registry at an address by its code and constructor; `undefined` without code. */
export function recognizeRegistry(chainId: number, address: Address, code: Hex): RegistryCode | undefined {
  if (code === '0x') return undefined;
  const codeHash = keccak256(code);
  for (const known of knownCodes) {
    const revealDelaySeconds = findRevealDelay(code, address, known);
    if (revealDelaySeconds !== undefined)
      return { codeHash, version: known.version, revealDelaySeconds, codeIsKnown: true };
  }
  const isPublic = isPublicRegistry(chainId, address);
  const version = isPublic ? publicDeployment.version : undefined;
  return { codeHash, version, revealDelaySeconds: undefined, codeIsKnown: false };
}
