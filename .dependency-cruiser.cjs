/**
 * Import rules: domain ← adapters ← api, workflow, and inside each of them one way between its folders too. What checks
 * without the service imports nothing of it.
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Folders of the domain from the ground up: a folder imports the floors below its own and the files beside them. */
const domainFloors = [
  ['attestation', 'organization'],
  ['lane', 'webhooks'],
  ['operation'],
  ['sending'],
  ['settling'],
  ['requests', 'steps', 'operator'],
];

/** Folders of the stack from the ground up. `service-function.ts` stands between `access` and `api`. */
const libFloors = [
  ['storage', 'site'],
  ['access'],
  ['environment'],
  ['api', 'workflow', 'webhooks'],
  ['watch'],
];

/** Folders of the verifier from the ground up. */
const verifierFloors = [
  ['reference', 'text', 'chain', 'trie'],
  ['verdict'],
  ['quote', 'proof'],
  ['publisher', 'events'],
  ['page'],
  ['command'],
];

/** Packages, each with the files of `src` that its package.json exports. */
const packageEntries = {
  client: ['imprimatur'],
  verifier: ['verifier', 'delegation', 'network/public-address'],
  pages: ['build-pages'],
  cli: ['main'],
};

/** One rule a folder: it imports nothing of its own floor's other folders, and nothing of the floors above. */
const floorRules = (name, base, floors) =>
  floors.flatMap((floor, height) =>
    floor.flatMap((folder) => {
      const forbidden = [...floor.filter((other) => other !== folder), ...floors.slice(height + 1).flat()];
      if (forbidden.length === 0) return [];
      return rule(
        `${name}-${folder}`,
        `${base}/${folder} imports only what stands below it.`,
        { path: `^${base}/${folder}/` },
        { path: `^${base}/(${forbidden.join('|')})/` },
      );
    }),
  );

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
          '^functions/(adapters|api|workflow|streams)/',
          '^node_modules/(@aws-sdk|@smithy|@middy)/',
          '^(node:)?(http|https|net|fs)$',
        ],
      },
    ),
    rule(
      'domain-ground',
      'The files at the root of the domain are what all of its folders stand on.',
      { path: '^functions/domain/[^/]+$' },
      { path: '^functions/domain/[^/]+/' },
    ),
    ...floorRules('domain', 'functions/domain', domainFloors),
    rule(
      'adapters-apart',
      'A technology knows no other: only what composes them knows all.',
      { path: '^functions/adapters/(aws|dynamodb|chain|webhooks)/' },
      {
        path: '^functions/adapters/',
        pathNot: '^functions/adapters/($1/|aws/client\\.ts$|environment\\.ts$)',
      },
    ),
    rule(
      'adapters-below-handlers',
      'Adapters know no route and no state.',
      { path: '^functions/adapters/' },
      {
        path: '^functions/(api|workflow|streams)/',
      },
    ),
    rule(
      'api-beside-workflow',
      'Routes and states share only what is below them.',
      { path: '^functions/api/' },
      {
        path: '^functions/(workflow|streams)/',
      },
    ),
    rule(
      'workflow-beside-api',
      'Routes and states share only what is below them.',
      { path: '^functions/workflow/' },
      {
        path: '^functions/(api|streams)/',
      },
    ),
    rule(
      'streams-beside-both',
      'What a stream calls shares with routes and states only what is below them.',
      { path: '^functions/streams/' },
      { path: '^functions/(api|workflow)/' },
    ),
    rule(
      'operators-act-from-outside',
      'No request and no state does what only an operator may.',
      { path: '^functions/(api|workflow|streams)/' },
      { path: '^functions/domain/operator/' },
    ),
    rule(
      'api-rooms',
      'Bodies and transport know no route and no document; the document knows no transport.',
      { path: '^functions/api/(bodies|http)/' },
      { path: '^functions/api/([^/]+$|openapi/)' },
    ),
    rule(
      'functions-stand-alone',
      'Run time knows nothing of synth time and tools.',
      { path: '^functions/' },
      {
        path: '^(bin|lib|admin|local|tools|test|packages/(?!verifier/))',
      },
    ),
    rule(
      'functions-take-only-entries',
      'The functions take from the verifier what makes quote proofs and tells public addresses, by its entries.',
      { path: '^functions/' },
      {
        path: '^packages/verifier/src/',
        pathNot: '^packages/verifier/src/(verifier|network/public-address)\\.ts$',
      },
    ),
    rule(
      'contracts-are-independent',
      'Only tests of the contracts import other projects.',
      { path: '^contracts/(?!test/)' },
      { path: '^(bin|lib|functions|admin|local|tools|packages)/' },
    ),
    ...floorRules('lib', 'lib', libFloors),
    rule(
      'tools-are-chores',
      'What keeps the repository in order is imported by nothing that runs.',
      { pathNot: '^(tools|test)/' },
      { path: '^tools/' },
    ),
    rule(
      'functions-take-only-the-abi',
      'Of the contracts, run time takes the ABI, and the code that a node runs to answer a question.',
      { path: '^functions/' },
      {
        path: '^contracts/',
        pathNot: '^contracts/artifacts/([^/]+-abi|registry-states-bytecode)\\.ts$',
      },
    ),
    rule(
      'lib-takes-only-settings',
      'The stack shares with the functions the schema of the settings, the names of metrics in log lines and the names of tables.',
      { path: '^(lib|bin)/' },
      {
        path: '^functions/',
        pathNot: '^functions/domain/(settings|settings-changes|log-lines|records)\\.ts$',
      },
    ),
    rule(
      'verifier-is-independent',
      'A check that shares our code proves less.',
      { path: '^packages/verifier/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!verifier/))' },
    ),
    ...floorRules('verifier', 'packages/verifier/src', verifierFloors),
    rule(
      'verifier-runs-anywhere',
      'The library runs in browsers too; only its command and its look-up of addresses are for Node.',
      { path: '^packages/verifier/src/', pathNot: '^packages/verifier/src/(command/|network/|main\\.ts$)' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'client-stands-alone',
      'It runs in any project and any browser: it has no dependency, Node included.',
      { path: '^packages/client/src/' },
      { pathNot: '^packages/client/' },
    ),
    rule(
      'terminal-is-small',
      'What prints knows the client and nothing else of ours.',
      { path: '^packages/terminal/src/' },
      {
        path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!terminal/|client/src/imprimatur\\.ts$))',
      },
    ),
    rule(
      'cli-uses-the-api-alone',
      "The publisher's command knows the service by the client, and the chain by the verifier.",
      { path: '^packages/cli/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/pages/)' },
    ),
    rule(
      'pages-are-independent',
      'A page knows the verifier, and what authorities send; only its build is for Node.',
      { path: '^packages/pages/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!pages/|verifier/))' },
    ),
    ...Object.entries(packageEntries).map(([name, entries]) =>
      rule(
        `${name}-by-its-entries`,
        'A package is imported by what its package.json exports.',
        { pathNot: `(^test/|/test/|^packages/${name}/)` },
        { path: `^packages/${name}/src/`, pathNot: `^packages/${name}/src/(${entries.join('|')})\\.ts$` },
      ),
    ),
    rule(
      'pages-run-in-browsers',
      'What is shown in a page has no Node.',
      { path: '^packages/pages/src/[^/]+/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'pages-apart',
      'A page knows no other: what both have is in `shared`.',
      { path: '^packages/pages/src/(?!shared/)([^/]+)/' },
      { path: '^packages/pages/src/(?!shared/)[^/]+/', pathNot: '^packages/pages/src/$1/' },
    ),
    rule(
      'pages-shared',
      'What pages share knows none of them.',
      { path: '^packages/pages/src/shared/' },
      { path: '^packages/pages/src/(?!shared/)[^/]+/' },
    ),
    rule(
      'run-time-delegates-nothing',
      'Authorities delegate; the service only reads whether they did.',
      { path: '^(functions|lib|bin|contracts)/' },
      { path: '^packages/verifier/src/delegation' },
    ),
    rule(
      'integrations-stand-alone',
      'What runs in other systems starts the command, and is copied without the rest.',
      { path: '^integrations/' },
      { pathNot: '^integrations/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'nothing-imports-tests',
      'Tests are the last to know.',
      { pathNot: '^test/|/test/' },
      { path: '^test/|/test/' },
    ),
    rule(
      'no-development-packages',
      'What runs in production is a dependency.',
      { path: '^functions/' },
      {
        dependencyTypes: ['npm-dev'],
        pathNot: '@types/aws-lambda',
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(cdk\\.out|\\.local|packages/[^/]+/dist)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['imprimatur-source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
