/** Bytes in hexadecimal with 0x. Defined here because the package has no dependencies. */
export type Hex = `0x${string}`;

/** An address; with the EIP-55 checksum if it comes from this library. */
export type Address = Hex;
