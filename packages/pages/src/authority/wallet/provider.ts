/** A wallet's provider as EIP-1193 has it. */
export interface WalletProvider {
  request(question: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
}

/** A wallet in this browser. */
export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** A picture as a data: URI; nothing is loaded for it. */
  readonly icon: string | undefined;
  readonly provider: WalletProvider;
}

export function isProvider(value: unknown): value is WalletProvider {
  return typeof value === 'object' && value !== null && 'request' in value;
}
