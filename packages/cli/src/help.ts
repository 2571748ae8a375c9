export const commonExitCodes = {
  0: 'success',
  1: 'failed',
  2: 'wrong usage or configuration',
  70: 'unexpected error',
  130: 'interrupted',
} as const;

/** Exit codes of commands that only read and write files. */
export const fileExitCodes = {
  0: 'success',
  2: 'wrong usage, or a file that cannot be read, used or written',
  70: 'unexpected error',
  130: 'interrupted',
} as const;

export const waitExitCodes = {
  ...commonExitCodes,
  3: 'not done in time; the service continues',
  130: 'interrupted; the service continues',
};
