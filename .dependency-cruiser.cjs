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
      'Run time knows nothing of synth time and tools. Which addresses are public is told once.',
      { path: '^functions/' },
      {
        path: '^(bin|lib|admin|client|publisher|web|local|tools|test)/',
        pathNot: '^publisher/domain/public-address\\.ts$',
      },
    ),
    rule(
      'functions-take-only-quotes',
      'A quote proof is made by the code that checks them: another maker would be a second format. Nothing else that checks the service is part of it.',
      { path: '^functions/' },
      {
        path: '^verifier/',
        pathNot: '^verifier/quote/(attested-text|find-passage|quote-proof)\\.ts$',
      },
    ),
    rule(
      'contracts-stand-alone',
      'The contracts, their compilation and their tests need no service; only their deployment does.',
      { path: '^contracts/(src|test|artifacts|compile|forge)/' },
      { path: '^(functions|contracts/deploy)/' },
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
      'The stack shares the configuration schema with the functions, and the names of the metrics in their log lines.',
      { path: '^(lib|bin)/' },
      {
        path: '^functions/',
        pathNot: '^functions/domain/(settings|settings-changes|log-lines)\\.ts$',
      },
    ),
    rule(
      'verifier-is-independent',
      'A check that shares our code proves less.',
      { path: '^verifier/' },
      {
        path: '^(functions|lib|contracts|local|admin|client|publisher|web)/',
      },
    ),
    ...floorRules('verifier', 'verifier', verifierFloors),
    rule(
      'verifier-runs-anywhere',
      'The library runs in browsers too; only its command is for Node.',
      { path: '^verifier/', pathNot: '^verifier/(command/|main\\.ts$)' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'client-stands-alone',
      'It runs in any project and any browser: it has no dependency, Node included.',
      { path: '^client/' },
      { pathNot: '^client/' },
    ),
    rule(
      'publisher-uses-the-api-alone',
      "The publisher's command knows the service by its API, and the chain by the verifier; of the operators' it shares how text is laid out and put out.",
      { path: '^publisher/' },
      {
        path: '^(bin|lib|functions|contracts|verifier|web|local|tools|admin)/',
        pathNot: '^(admin/terminal/text|verifier/verifier|verifier/proof/proof-path)\\.ts$',
      },
    ),
    rule(
      'web-is-independent',
      'A page knows the verifier and the client by their entries, and what authorities send; only its build is for Node.',
      { path: '^web/' },
      {
        path: '^(bin|lib|functions|contracts|verifier|client|publisher|admin|local|tools)/',
        pathNot: '^(verifier/verifier|client/imprimatur)\\.ts$',
      },
    ),
    rule(
      'web-runs-in-browsers',
      'What is shown in a page has no Node.',
      { path: '^web/[^/]+/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'web-pages-apart',
      'A page knows no other: what both have is in `shared`.',
      { path: '^web/(?!shared/)([^/]+)/' },
      { path: '^web/(?!shared/)[^/]+/', pathNot: '^web/$1/' },
    ),
    rule(
      'web-shared',
      'What pages share knows none of them.',
      { path: '^web/shared/' },
      { path: '^web/(?!shared/)[^/]+/' },
    ),
    rule(
      'delegation-is-shared',
      "What an authority sends and signs is written once, for the publisher's command, the operators' and the page: it knows the chain by the verifier alone.",
      { path: '^delegation/' },
      {
        path: '^(bin|lib|functions|contracts|client|publisher|verifier|local|tools|admin|web)/',
        pathNot: '^verifier/verifier\\.ts$',
      },
    ),
    rule(
      'run-time-delegates-nothing',
      'Authorities delegate; the service only reads whether they did.',
      { path: '^(functions|lib|bin|client|verifier|contracts)/' },
      { path: '^delegation/' },
    ),
    rule(
      'integrations-stand-alone',
      'What runs in other systems starts the command, and is copied without the rest.',
      { path: '^integrations/' },
      { pathNot: '^integrations/', dependencyTypesNot: ['core'] },
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
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
