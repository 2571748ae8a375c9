/**
 * Import rules. Imports run one way: domain ← adapters ← api, workflow, streams, and one way between the folders of each.
 * The verifier imports nothing of the service.
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Layers of the domain, lowest first. A folder may import lower layers and the files of `functions/domain` itself. */
const domainLayers = [
  ['attestation', 'organization'],
  ['lane', 'webhooks'],
  ['operation'],
  ['sending'],
  ['settling'],
  ['requests', 'steps', 'operator'],
];

/** Layers of the stack, lowest first. `service-function.ts` is between `access` and `api`. */
const libLayers = [
  ['storage', 'site'],
  ['access'],
  ['environment'],
  ['api', 'workflow', 'webhooks'],
  ['watch'],
];

/** Layers of the verifier, lowest first. */
const verifierLayers = [
  ['reference', 'text', 'chain', 'trie'],
  ['verdict'],
  ['quote', 'proof'],
  ['publisher', 'events'],
  ['page'],
  ['command'],
];

/** The files of `src` that each package exports in its package.json. */
const packageEntries = {
  client: ['imprimatur'],
  verifier: ['verifier', 'delegation', 'network/public-address'],
  pages: ['build-pages'],
  cli: ['main'],
};

/** Returns one rule for each folder: it imports no other folder of its layer, and none of a higher layer. */
const layerRules = (name, base, layers) =>
  layers.flatMap((layer, height) =>
    layer.flatMap((folder) => {
      const forbidden = [...layer.filter((other) => other !== folder), ...layers.slice(height + 1).flat()];
      if (forbidden.length === 0) return [];
      return rule(
        `${name}-${folder}`,
        `${base}/${folder} imports only lower layers.`,
        { path: `^${base}/${folder}/` },
        { path: `^${base}/(${forbidden.join('|')})/` },
      );
    }),
  );

module.exports = {
  forbidden: [
    rule('no-circular', 'No import cycles.', {}, { circular: true }),
    rule('not-resolved', 'Every import resolves.', {}, { couldNotResolve: true }),
    rule(
      'domain-is-pure',
      'The domain imports neither AWS clients nor transport.',
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
      'domain-root',
      'All folders of the domain import its root files, so these import none of the folders.',
      { path: '^functions/domain/[^/]+$' },
      { path: '^functions/domain/[^/]+/' },
    ),
    ...layerRules('domain', 'functions/domain', domainLayers),
    rule(
      'adapters-apart',
      'An adapter imports no other adapter. Only the compose-* files import several.',
      { path: '^functions/adapters/(aws|dynamodb|chain|webhooks)/' },
      {
        path: '^functions/adapters/',
        pathNot: '^functions/adapters/($1/|aws/client\\.ts$|environment\\.ts$)',
      },
    ),
    rule(
      'adapters-below-handlers',
      'Adapters import neither routes nor states.',
      { path: '^functions/adapters/' },
      {
        path: '^functions/(api|workflow|streams)/',
      },
    ),
    rule(
      'api-beside-workflow',
      'Routes and states share only lower layers.',
      { path: '^functions/api/' },
      {
        path: '^functions/(workflow|streams)/',
      },
    ),
    rule(
      'workflow-beside-api',
      'Routes and states share only lower layers.',
      { path: '^functions/workflow/' },
      {
        path: '^functions/(api|streams)/',
      },
    ),
    rule(
      'streams-beside-both',
      'Stream handlers share only lower layers with routes and states.',
      { path: '^functions/streams/' },
      { path: '^functions/(api|workflow)/' },
    ),
    rule(
      'no-operator-actions-in-functions',
      'Requests and states do not import actions of operators.',
      { path: '^functions/(api|workflow|streams)/' },
      { path: '^functions/domain/operator/' },
    ),
    rule(
      'api-folders',
      '`bodies` and `http` import neither routes nor the API document.',
      { path: '^functions/api/(bodies|http)/' },
      { path: '^functions/api/([^/]+$|openapi/)' },
    ),
    rule(
      'functions-are-independent',
      'Deployed code imports neither the CDK app nor tools.',
      { path: '^functions/' },
      {
        path: '^(bin|lib|admin|local|tools|test|packages/(?!verifier/))',
      },
    ),
    rule(
      'functions-take-only-entries',
      'Functions import the verifier only by its exported files.',
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
    ...layerRules('lib', 'lib', libLayers),
    rule(
      'tools-only-in-tests',
      'Only tests import the scripts of the repository.',
      { pathNot: '^(tools|test)/' },
      { path: '^tools/' },
    ),
    rule(
      'functions-take-only-the-abi',
      'Functions import only the ABIs of the contracts, and the bytecode for an `eth_call`.',
      { path: '^functions/' },
      {
        path: '^contracts/',
        pathNot: '^contracts/artifacts/([^/]+-abi|registry-states-bytecode)\\.ts$',
      },
    ),
    rule(
      'lib-takes-only-settings',
      'The CDK app imports from the functions only the settings, the metric names in log lines and the table names.',
      { path: '^(lib|bin)/' },
      {
        path: '^functions/',
        pathNot: '^functions/domain/(settings|settings-changes|log-lines|records)\\.ts$',
      },
    ),
    rule(
      'verifier-is-independent',
      'A verifier that imports code of the service proves less.',
      { path: '^packages/verifier/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!verifier/))' },
    ),
    ...layerRules('verifier', 'packages/verifier/src', verifierLayers),
    rule(
      'verifier-runs-anywhere',
      'The library also runs in browsers. Only its command and its address lookup use Node.',
      { path: '^packages/verifier/src/', pathNot: '^packages/verifier/src/(command/|network/|main\\.ts$)' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'client-is-independent',
      'The client has no dependencies, not even Node, so it runs in any project and browser.',
      { path: '^packages/client/src/' },
      { pathNot: '^packages/client/' },
    ),
    rule(
      'terminal-is-small',
      'The terminal package imports only the client.',
      { path: '^packages/terminal/src/' },
      {
        path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!terminal/|client/src/imprimatur\\.ts$))',
      },
    ),
    rule(
      'cli-uses-only-the-api',
      "The publisher's command uses the service through the client, and the chain through the verifier.",
      { path: '^packages/cli/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/pages/)' },
    ),
    rule(
      'pages-are-independent',
      'Pages import only the verifier and the client.',
      { path: '^packages/pages/src/' },
      { path: '^(bin|lib|functions|contracts|admin|local|tools|packages/(?!pages/|verifier/|client/))' },
    ),
    ...Object.entries(packageEntries).map(([name, entries]) =>
      rule(
        `${name}-by-its-entries`,
        'Other packages import only the files that package.json exports.',
        { pathNot: `(^test/|/test/|^packages/${name}/)` },
        { path: `^packages/${name}/src/`, pathNot: `^packages/${name}/src/(${entries.join('|')})\\.ts$` },
      ),
    ),
    rule(
      'pages-run-in-browsers',
      'Code of a page does not use Node.',
      { path: '^packages/pages/src/[^/]+/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'pages-apart',
      'Pages do not import each other. Shared code is in `shared`.',
      { path: '^packages/pages/src/(?!shared/)([^/]+)/' },
      { path: '^packages/pages/src/(?!shared/)[^/]+/', pathNot: '^packages/pages/src/$1/' },
    ),
    rule(
      'pages-shared',
      '`shared` imports no page.',
      { path: '^packages/pages/src/shared/' },
      { path: '^packages/pages/src/(?!shared/)[^/]+/' },
    ),
    rule(
      'service-only-reads-delegations',
      'Authorities delegate. The service only reads delegations.',
      { path: '^(functions|lib|bin|contracts)/' },
      { path: '^packages/verifier/src/delegation' },
    ),
    rule(
      'integrations-are-independent',
      'An integration runs on other systems, without the dependencies of this repository.',
      { path: '^integrations/' },
      { pathNot: '^integrations/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'nothing-imports-tests',
      'Only tests import tests.',
      { pathNot: '^test/|/test/' },
      { path: '^test/|/test/' },
    ),
    rule(
      'no-development-packages',
      'Deployed code imports no development dependencies.',
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
