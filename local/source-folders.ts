/** Where the sources are, tests excluded. */
export const sourceFolders = [
  'bin',
  'lib',
  'functions',
  'contracts',
  'cli',
  'client',
  'publisher',
  'verifier',
  'local',
  'bench',
  'fuzz',
] as const;
