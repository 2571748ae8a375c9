/** Bytes in hexadecimal, 0x in front. The package names no type of another: it has no dependency. */
export type Hex = `0x${string}`;

/** The 20 bytes of an account or a contract, with the checksum of EIP-55 where they come from this library. */
export type Address = Hex;
