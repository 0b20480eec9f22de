import { Center, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatchRoute } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { MeView } from '@fleet/contracts/access';
import { fetchMe, isFailure } from '../api/calls';
import { LiveProvider } from '../live/live-provider';
import { LoginDialog } from '../login/login-dialog';
import { LoginPage } from '../login/login-page';
import { shellTexts } from '../texts/shell';
import { Bar } from './bar';
import { Failure } from '../parts/failure';
import { MaintenanceBanner, useMaintenance } from './maintenance-banner';
import { useReloadOnLogin } from './use-reload-on-login';
import css from './shell.module.css';

/** Milliseconds until an unreachable gateway is retried. */
const againMs = 5_000;

/** Announcements above the page. */
const Announced = (): ReactElement => {
  const windows = useMaintenance();
  return (
    <Stack gap="xs" mx={20} mt={windows.length > 0 ? 10 : 0}>
      <MaintenanceBanner windows={windows} />
    </Stack>
  );
};

/** The bar above every page but the wall, and the page. */
const Entered = ({ me, isWall }: { readonly me: MeView; readonly isWall: boolean }): ReactElement => (
  <>
    {!isWall && (
      <>
        <a className={css.skip} href="#content">
          {shellTexts.skip}
        </a>
        <Bar me={me} />
        <Announced />
      </>
    )}
    <main id="content" tabIndex={-1}>
      <Outlet />
    </main>
  </>
);

/** Replaces a page while the user is unknown. */
const Closed = ({
  error,
  why,
  isWall,
  onAgain,
}: {
  readonly error: Error | null;
  readonly why: string | undefined;
  readonly isWall: boolean;
  readonly onAgain: () => void;
}): ReactElement => {
  if (isFailure(error, 401)) return <LoginPage why={why} isWall={isWall} />;
  return (
    <Center mih="100vh" p="md">
      {error === null ? <Loader /> : <Failure error={error} onAgain={onAgain} />}
    </Center>
  );
};

/** The page, once the user is known; if the login is lost later, a dialog above the page asks for it. */
export const Shell = (): ReactElement => {
  const isWall = useMatchRoute()({ to: '/wall' }) !== false;
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => fetchMe(signal),
    staleTime: Infinity,
    refetchInterval: ({ state }) => (state.status === 'error' && !isFailure(state.error, 401) ? againMs : false),
  });
  const refusal = isFailure(me.error, 401) ? me.error : undefined;
  const why = refusal?.code === 'access.no_credentials' ? undefined : refusal?.message;
  useReloadOnLogin(refusal, me.data);
  // A wall is unattended: its content is not left visible to passers-by.
  if (me.data === undefined || (isWall && refusal !== undefined))
    return <Closed error={me.error} why={why} isWall={isWall} onAgain={() => void me.refetch()} />;
  return (
    <LiveProvider entry={me.dataUpdatedAt}>
      <Entered me={me.data} isWall={isWall} />
      {refusal !== undefined && <LoginDialog why={why} />}
    </LiveProvider>
  );
};
