import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readBatchesSearch, readBatchSearch } from './batches/batch-search';
import { readCompareSearch } from './compare/compare-search';
import { readForkSearch } from './fork/fork-search';
import { readOperationsSearch } from './operations/operations-search';
import { readQueuesSearch } from './queues/queues-search';
import { readSessionSearch } from './session/session-search';
import { parseQuery, queryOf, readListSearch } from './sessions/list-search';
import { SessionsPage } from './sessions/sessions-page';
import { Shell } from './shell/shell';
import { readManifestSearch, readSubmitSearch } from './submit/submit-search';
import { readWallSearch } from './wall/wall-search';

const root = createRootRoute({ component: Shell });
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way to lead elsewhere
    throw redirect({ to: '/sessions', replace: true });
  },
});
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  validateSearch: readListSearch,
  component: SessionsPage,
});
const session = createRoute({
  getParentRoute: () => root,
  path: '/sessions/$id',
  validateSearch: readSessionSearch,
  component: lazyRouteComponent(() => import('./session/session-page'), 'SessionPage'),
});

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: readBatchesSearch,
  component: lazyRouteComponent(() => import('./batches/batches-page'), 'BatchesPage'),
});
const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
  validateSearch: readBatchSearch,
  component: lazyRouteComponent(() => import('./batches/batch-page'), 'BatchPage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('./compare/compare-page'), 'ComparePage'),
});

const submit = createRoute({
  getParentRoute: () => root,
  path: '/submit',
  validateSearch: readSubmitSearch,
  component: lazyRouteComponent(() => import('./submit/submit-page'), 'SubmitPage'),
});
const fork = createRoute({
  getParentRoute: () => root,
  path: '/fork',
  validateSearch: readForkSearch,
  component: lazyRouteComponent(() => import('./fork/fork-page'), 'ForkPage'),
});
const manifest = createRoute({
  getParentRoute: () => root,
  path: '/submit/manifest',
  validateSearch: readManifestSearch,
  component: lazyRouteComponent(() => import('./submit/manifest-page'), 'ManifestPage'),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: readOperationsSearch,
  component: lazyRouteComponent(() => import('./operations/operations-page'), 'OperationsPage'),
});
const queues = createRoute({
  getParentRoute: () => root,
  path: '/operations/queues',
  validateSearch: readQueuesSearch,
  component: lazyRouteComponent(() => import('./queues/queues-page'), 'QueuesPage'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/operations/keys',
  component: lazyRouteComponent(() => import('./keys/keys-page'), 'KeysPage'),
});

const wall = createRoute({
  getParentRoute: () => root,
  path: '/wall',
  validateSearch: readWallSearch,
  component: lazyRouteComponent(() => import('./wall/wall-page'), 'WallPage'),
});

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- its type is what makes every link checked
export const makeRouter = (basepath: string) =>
  createRouter({
    routeTree: root.addChildren([
      home,
      sessions,
      session,
      compare,
      batches,
      batch,
      submit,
      fork,
      manifest,
      operations,
      queues,
      keys,
      wall,
    ]),
    basepath,
    parseSearch: parseQuery,
    stringifySearch: queryOf,
    defaultPreload: false,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
