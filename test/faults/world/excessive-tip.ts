/** In wei per gas. With it as what miners take at least, nothing of the service is mined: it never offers so much. */
export const excessiveTip = 500_000_000_000n;
