// Import direction: apps wire, adapters touch the world, the domain decides; arrows point down, only through index.ts.
// A lib's tier is the folder it lies in: libs/<tier>/<lib>. ARCHITECTURE.md says what each tier is for.
const { tiers } = require('./scripts/setup/tiers.mjs');
/** The file of a lib, by tier and name; libs/testing lies in no tier. */
const libFile = '^libs/([^/]+/[^/]+|testing)/src/';
/** The words of the project are imported by area. */
const areaIndex = '^libs/domain/contracts/src/[^/]+/index\\.ts$';
const specs = '\\.(medium-)?spec\\.ts$';
const impure =
  '^(node:)?(fs|fs/promises|child_process|net|http|https|os|worker_threads|process)$|^node_modules/(@nestjs|bullmq|ioredis|@kubernetes|@langchain|fastify)';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'gateway-http-imports-no-route',
      comment: 'From the top: modules, routes, auth, http. No import runs back up.',
      severity: 'error',
      from: { path: '^apps/gateway/src/http/' },
      to: { path: '^apps/gateway/src/(auth/|routes/|[^/]+$)' },
    },
    {
      name: 'gateway-auth-imports-no-route',
      severity: 'error',
      from: { path: '^apps/gateway/src/auth/' },
      to: { path: '^apps/gateway/src/(routes/|[^/]+$)' },
    },
    {
      name: 'gateway-routes-import-no-module',
      severity: 'error',
      from: { path: '^apps/gateway/src/routes/' },
      to: { path: '^apps/gateway/src/[^/]+$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'every-lib-has-a-tier',
      severity: 'error',
      from: {},
      to: { path: '^libs/', pathNot: `^libs/(${tiers.join('|')})/[^/]+/src/|^libs/testing/src/` },
    },
    {
      name: 'libs-only-through-index',
      comment: 'A lib is imported by its name; its files are its own.',
      severity: 'error',
      from: { path: '^libs/([^/]+/[^/]+)/' },
      to: { path: `${libFile}(?!index\\.ts$)`, pathNot: `^libs/$1/|${areaIndex}` },
    },
    {
      name: 'libs-only-through-index-from-outside',
      severity: 'error',
      from: { path: '^(apps|test)/' },
      to: { path: `${libFile}(?!index\\.ts$)`, pathNot: areaIndex },
    },
    {
      name: 'no-app-to-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'cli-has-no-store',
      comment: 'phx asks the gateway; what it decides offline needs no record. So it reads no port and opens no store.',
      severity: 'error',
      from: { path: '^apps/cli/' },
      to: { path: '^libs/(domain/ports|adapters/(store|redis|session-folder|queue))/' },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'domain-imports-domain-only',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/domain/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'No Nest, Redis, Kubernetes, LangGraph, process or file system in the domain.',
      severity: 'error',
      from: { path: '^libs/domain/', pathNot: specs },
      to: { path: impure },
    },
    {
      name: 'application-imports-domain-and-application',
      comment: 'What a step does is said with ports; which Redis or cluster fulfils them is for the apps to wire.',
      severity: 'error',
      from: { path: '^libs/application/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(domain|application)/' },
    },
    {
      name: 'application-is-pure-but-for-the-graph',
      severity: 'error',
      from: { path: '^libs/application/(?!decision-graph/)', pathNot: specs },
      to: { path: impure },
    },
    {
      name: 'platform-imports-domain-and-platform',
      severity: 'error',
      from: { path: '^libs/platform/', pathNot: specs },
      to: { path: '^libs/', pathNot: '^libs/(domain|platform)/' },
    },
    {
      name: 'adapters-never-import-each-other',
      comment: 'But all stand on the platform, and the backends share the supervision of an attempt.',
      severity: 'error',
      from: { path: '^libs/adapters/([^/]+)/', pathNot: specs },
      to: { path: '^libs/(adapters|application)/', pathNot: '^libs/adapters/($1|attempt-runner)/' },
    },
    {
      name: 'attempt-runner-stands-alone',
      comment:
        'It runs inside pods from a folder without packages: Node, the words, the ports and the opening of files are all it may use.',
      severity: 'error',
      from: { path: '^libs/adapters/attempt-runner/', pathNot: specs },
      to: {
        pathNot: '^libs/(adapters/attempt-runner|domain/contracts|domain/ports|platform/untrusted-files)/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'prom-client-in-one-place',
      comment: 'Who measures knows the port METRICS alone; a test asks it for the names of what Node tells.',
      severity: 'error',
      from: { pathNot: '^(libs/platform/observability/src/process-metrics|test/docs/asked-metrics)\\.ts$' },
      to: { path: '^node_modules/prom-client/' },
    },
    {
      name: 'opentelemetry-in-one-place',
      comment: 'Who does something that takes a while knows the port TRACING alone.',
      severity: 'error',
      from: { pathNot: '^libs/platform/observability/src/tracing/' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: ['\\.spec\\.ts$', '-spec\\.ts$', '\\.fake\\.ts$', '/fixtures/', '^libs/testing/'],
      },
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
