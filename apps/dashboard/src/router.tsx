import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readBatchesSearch, readBatchSearch } from './pages/batches/batch-search';
import { readCompareSearch } from './pages/compare/compare-search';
import { readForkSearch } from './pages/fork/fork-search';
import { readOperationsSearch } from './pages/operations/operations-search';
import { readQueuesSearch } from './pages/queues/queues-search';
import { readSessionSearch } from './pages/session/session-search';
import { parseQuery, queryOf, readListSearch } from './pages/sessions/list-search';
import { SessionsPage } from './pages/sessions/sessions-page';
import { NotFound } from './shell/not-found';
import { Shell } from './shell/shell';
import { readStatisticsSearch } from './pages/statistics/statistics-search';
import { readManifestSearch, readSubmitSearch } from './pages/submit/submit-search';
import { readWallSearch } from './pages/wall/wall-search';

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
  component: lazyRouteComponent(() => import('./pages/session/session-page'), 'SessionPage'),
});

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: readBatchesSearch,
  component: lazyRouteComponent(() => import('./pages/batches/batches-page'), 'BatchesPage'),
});
const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
  validateSearch: readBatchSearch,
  component: lazyRouteComponent(() => import('./pages/batches/batch-page'), 'BatchPage'),
});

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('./pages/statistics/statistics-page'), 'StatisticsPage'),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: lazyRouteComponent(() => import('./pages/compare/compare-page'), 'ComparePage'),
});

const submit = createRoute({
  getParentRoute: () => root,
  path: '/submit',
  validateSearch: readSubmitSearch,
  component: lazyRouteComponent(() => import('./pages/submit/submit-page'), 'SubmitPage'),
});
const fork = createRoute({
  getParentRoute: () => root,
  path: '/fork',
  validateSearch: readForkSearch,
  component: lazyRouteComponent(() => import('./pages/fork/fork-page'), 'ForkPage'),
});
const manifest = createRoute({
  getParentRoute: () => root,
  path: '/submit/manifest',
  validateSearch: readManifestSearch,
  component: lazyRouteComponent(() => import('./pages/submit/manifest-page'), 'ManifestPage'),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: readOperationsSearch,
  component: lazyRouteComponent(() => import('./pages/operations/operations-page'), 'OperationsPage'),
});
const queues = createRoute({
  getParentRoute: () => root,
  path: '/operations/queues',
  validateSearch: readQueuesSearch,
  component: lazyRouteComponent(() => import('./pages/queues/queues-page'), 'QueuesPage'),
});
const keys = createRoute({
  getParentRoute: () => root,
  path: '/operations/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page'), 'KeysPage'),
});

const wall = createRoute({
  getParentRoute: () => root,
  path: '/wall',
  validateSearch: readWallSearch,
  component: lazyRouteComponent(() => import('./pages/wall/wall-page'), 'WallPage'),
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
      statistics,
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
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
