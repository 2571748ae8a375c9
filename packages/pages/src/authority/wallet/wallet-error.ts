const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Texts for errors that the user can fix, of EIP-1193 and of common wallets. */
const errorTexts: Readonly<Record<number, string>> = {
  4001: 'You declined in the wallet. Nothing was sent.',
  4100: 'The wallet does not let this page use that account. Connect again and choose it.',
  4900: 'The wallet is not connected to any network.',
  4901: 'The wallet is not connected to that network.',
  4902: 'The wallet does not know that network. Add it in the wallet, then try again.',
  [-32002]: 'The wallet already shows a request from this page. Answer it there.',
};

const maxCharacters = 300;

export function walletErrorText(error: unknown): string {
  const code = codeOf(error);
  const known = typeof code === 'number' ? errorTexts[code] : undefined;
  if (known) return known;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return `The wallet reported an error: ${String(message).slice(0, maxCharacters)}`;
}
