export const commonExitCodes = {
  0: 'success',
  1: 'failed',
  2: 'wrong usage or configuration; nothing was sent',
  70: 'unexpected error',
  130: 'interrupted',
} as const;

export const waitExitCodes = {
  ...commonExitCodes,
  3: 'not done in time; the service continues',
  130: 'interrupted; the service continues',
};
