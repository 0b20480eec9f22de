import './theme/mantine';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isFailure } from './api/calls';
import { openScreen } from './api/session-key';
import { makeRouter } from './router';
import { theme } from './theme/theme';

/** An error response is final; a missing response is retried. */
const mayTryAgain = (failures: number, error: unknown): boolean =>
  isFailure(error) && (error.status === 0 || error.status >= 500) && failures < 2;

/** Fetches the user again: the page then asks for a login, and its content stays. */
const recheckLogin = (error: unknown): void => {
  if (isFailure(error, 401)) void queries.invalidateQueries({ queryKey: ['me'] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== 'me') recheckLogin(error);
    },
  }),
  mutationCache: new MutationCache({ onError: recheckLogin }),
  defaultOptions: { queries: { retry: mayTryAgain, staleTime: 30_000, refetchOnWindowFocus: false } },
});

const { pathname } = new URL(document.baseURI);
openScreen(`${pathname}wall`);
const router = makeRouter(pathname);

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no place for the dashboard');
createRoot(container).render(
  <StrictMode>
    {/* Its variables are a static file: the page allows no inline style. */}
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
