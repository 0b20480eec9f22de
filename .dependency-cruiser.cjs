// Import direction: apps wire, adapters touch the world, the domain decides; arrows point down, only through index.ts.
const domain =
  'contracts|ports|knowledge-model|workflow|files|commands|log-parsing|session-report|decision-api|recovery';
const graph = 'decision-graph';
const adapters =
  'config|observability|queue|session-store|knowledge|file-inspection|attempt-runner|local-backend|kubernetes-backend|session-folder|untrusted-files|thread-pool';
const impure =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|os|worker_threads|process)$|^node_modules/(@nestjs|bullmq|ioredis|@kubernetes|@langchain|fastify)';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'libs-only-through-index',
      comment: 'A lib is imported by its name; its files are its own.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/[^/]+/src/(?!index\\.ts$)', pathNot: '^libs/$1/' },
    },
    {
      name: 'libs-only-through-index-from-outside',
      severity: 'error',
      from: { path: '^(apps|test)/' },
      to: { path: '^libs/[^/]+/src/(?!index\\.ts$)' },
    },
    {
      name: 'no-app-to-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'domain-imports-domain-only',
      severity: 'error',
      from: { path: `^libs/(${domain})/`, pathNot: '\\.(medium-)?spec\\.ts$' },
      to: { path: '^libs/', pathNot: `^libs/(${domain})/` },
    },
    {
      name: 'domain-is-pure',
      comment: 'No Nest, Redis, Kubernetes, LangGraph, process or file system in the domain.',
      severity: 'error',
      from: { path: `^libs/(${domain})/`, pathNot: '\\.(medium-)?spec\\.ts$' },
      to: { path: impure },
    },
    {
      name: 'graph-imports-domain-only',
      severity: 'error',
      from: { path: `^libs/${graph}/`, pathNot: '\\.(medium-)?spec\\.ts$' },
      to: { path: '^libs/', pathNot: `^libs/(${domain}|${graph})/` },
    },
    {
      name: 'adapters-never-import-each-other',
      comment:
        'But all may read the configuration, open files safely and work in threads, and the backends share the supervision of an attempt.',
      severity: 'error',
      from: { path: `^libs/(${adapters})/`, pathNot: '\\.(medium-)?spec\\.ts$' },
      to: {
        path: `^libs/(${adapters}|${graph})/`,
        pathNot: '^libs/($1|config|attempt-runner|untrusted-files|thread-pool)/',
      },
    },
    {
      name: 'attempt-runner-stands-alone',
      comment:
        'It runs inside pods from a folder without packages: Node, the words, the ports and the opening of files are all it may use.',
      severity: 'error',
      from: { path: '^libs/attempt-runner/', pathNot: '\\.(medium-)?spec\\.ts$' },
      to: {
        pathNot: '^libs/(attempt-runner|contracts|ports|untrusted-files)/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.((medium-)?spec|fake)\\.ts$|^libs/testing/' },
      to: { path: '^libs/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default', 'types'] },
  },
};
