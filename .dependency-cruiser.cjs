/** Imports go one way: domain ← adapters ← api, workflow. What checks without us imports nothing of ours. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-circular', 'A cycle has no first file to read.', {}, { circular: true }),
    rule('not-resolved', 'Every import resolves.', {}, { couldNotResolve: true }),
    rule(
      'domain-is-pure',
      'The domain knows no AWS and no transport.',
      { path: '^functions/domain/' },
      {
        path: [
          '^functions/(adapters|api|workflow)/',
          '^node_modules/(@aws-sdk|@smithy|@middy)/',
          '^(node:)?(http|https|net|fs)$',
        ],
      },
    ),
    rule(
      'adapters-below-handlers',
      'Adapters know no route and no state.',
      { path: '^functions/adapters/' },
      {
        path: '^functions/(api|workflow)/',
      },
    ),
    rule(
      'api-beside-workflow',
      'Routes and states share only what is below them.',
      { path: '^functions/api/' },
      {
        path: '^functions/workflow/',
      },
    ),
    rule(
      'workflow-beside-api',
      'Routes and states share only what is below them.',
      { path: '^functions/workflow/' },
      {
        path: '^functions/api/',
      },
    ),
    rule(
      'functions-stand-alone',
      'Run time knows nothing of synth time and tools.',
      { path: '^functions/' },
      {
        path: '^(bin|lib|cli|client|publisher|verifier|local|bench|fuzz)/',
      },
    ),
    rule(
      'functions-take-only-the-abi',
      'Of the contracts, run time takes the ABI alone.',
      { path: '^functions/' },
      {
        path: '^contracts/',
        pathNot: '^contracts/artifacts/[^/]+-abi\\.ts$',
      },
    ),
    rule(
      'lib-takes-only-settings',
      'The stack shares the configuration schema with the functions.',
      { path: '^(lib|bin)/' },
      {
        path: '^functions/',
        pathNot: '^functions/domain/settings\\.ts$',
      },
    ),
    rule(
      'verifier-is-independent',
      'A check that shares our code proves less.',
      { path: '^verifier/' },
      {
        path: '^(functions|lib|contracts|local|cli|client|publisher)/',
      },
    ),
    rule(
      'client-stands-alone',
      'It runs in any project and any browser: it has no dependency, Node included.',
      { path: '^client/' },
      { pathNot: '^client/' },
    ),
    rule(
      'publisher-uses-the-api-alone',
      "The publisher's command knows the service by its API; of the operators' it shares how text is laid out and put out.",
      { path: '^publisher/' },
      {
        path: '^(bin|lib|functions|contracts|verifier|local|bench|cli)/',
        pathNot: '^cli/(table|field-list|printable|outlive-reader)\\.ts$',
      },
    ),
    rule('nothing-imports-tests', 'Tests are the last to know.', { pathNot: '^test/' }, { path: '^test/' }),
    rule(
      'no-development-packages',
      'What runs in production is a dependency.',
      { path: '^(functions|verifier)/' },
      {
        dependencyTypes: ['npm-dev'],
        pathNot: '@types/aws-lambda',
      },
    ),
  ],
  options: {
    doNotFollow: { path: '^node_modules' },
    exclude: { path: '^(cdk\\.out|\\.local)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
