// The layer table of the architecture, enforced. A planted fault in test/unit/layering.test.ts proves that each rule bites.

const only = (name, from, allowed, comment) => ({ name, comment, severity: 'error', from: { path: from }, to: { pathNot: allowed } });
const never = (name, from, forbidden, comment) => ({ name, comment, severity: 'error', from: { path: from }, to: { path: forbidden } });

const DOMAIN = '^shared/domain/';
const NPM = (...names) => names.map((name) => `^node_modules/${name}/`);
const DESCRIBED = [DOMAIN, '^shared/contracts/', '^shared/ports/'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', comment: 'A cycle is a layout mistake.', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', comment: 'Every import exists.', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^aws-lambda$' } },
    only('domain-is-pure', DOMAIN, [DOMAIN], 'The domain imports itself only: no built-ins, no packages.'),
    only(
      'contracts-describe',
      '^shared/contracts/',
      [DOMAIN, '^shared/contracts/', ...NPM('zod', 'yaml', 'date-holidays'), '^(node:)?(fs|path|crypto|url)$'],
      'Contracts know the domain and zod; the policy files are YAML on disk.',
    ),
    only('ports-are-interfaces', '^shared/ports/', [DOMAIN, '^shared/ports/'], 'A port speaks the domain.'),
    never('adapters-know-no-use-case', '^shared/(adapters|sources|lambda)/', '^(functions|infra|cli|test)/', 'Adapters serve use cases, they do not know them.'),
    {
      name: 'use-cases-are-plain',
      comment: 'A use case sees domain, contracts and ports; technology is wired in handler.ts.',
      severity: 'error',
      from: { path: '^functions/', pathNot: '/handler\\.tsx?$' },
      to: { pathNot: [...DESCRIBED, '^functions/', ...NPM('hono')] },
    },
    {
      name: 'handlers-wire',
      comment: 'A handler names adapters, never an SDK.',
      severity: 'error',
      from: { path: '^functions/.+/handler\\.tsx?$' },
      to: { pathNot: [...DESCRIBED, '^shared/(adapters|sources|lambda)/', '^functions/'] },
    },
    {
      name: 'functions-stand-alone',
      comment: 'No function imports another.',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      to: { path: '^functions/', pathNot: '^functions/$1/' },
    },
    {
      name: 'stack-names-handlers-by-path',
      comment: 'The stack bundles handlers by path and never runs them.',
      severity: 'error',
      from: { path: '^infra/', pathNot: '^infra/local/' },
      to: { path: ['^functions/', '^shared/(domain|ports|adapters|sources|lambda)/', '^infra/local/', '^cli/'] },
    },
    {
      name: 'local-runtime-knows-no-leads',
      comment: 'The local runtime reads cdk.out; it imports neither CDK nor anything of Baton.',
      severity: 'error',
      from: { path: '^infra/local/' },
      to: { path: ['^(functions|shared|cli)/', '^infra/(?!local/)', ...NPM('aws-cdk-lib', 'constructs', 'cdk-nag', 'aws-cdk')] },
    },
    never('nothing-imports-test', '^(shared|functions|infra|cli)/', '^test/', 'Tests import, they are not imported.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
};
