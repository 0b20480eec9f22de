import { ActionIcon, Loader, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { fetchMe, isFailure } from '../api/calls';
import { LiveProvider } from '../live/live-provider';
import { LoginDialog } from '../login/login-dialog';
import { LoginPage } from '../login/login-page';
import { texts } from '../texts';
import { Failure } from './failure';
import { LiveBadge } from './live-badge';
import { useKnownAgain } from './use-known-again';
import { Who } from './who';

const ColourSwitch = (): ReactElement => {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('light');
  const [other, label, Icon] =
    scheme === 'dark'
      ? (['light', texts.shell.light, IconSun] as const)
      : (['dark', texts.shell.dark, IconMoon] as const);
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        onClick={() => {
          setColorScheme(other);
        }}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
};

/** The bar above every page, and the page once it is known who asks. */
export const Shell = (): ReactElement => {
  const me = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => fetchMe(signal), staleTime: Infinity });
  const refusal = isFailure(me.error, 401) ? me.error : undefined;
  const why = refusal?.code === 'access.no_credentials' ? undefined : refusal?.message;
  useKnownAgain(refusal, me.data);
  if (me.data === undefined)
    return refusal === undefined ? (
      <div className="middle">
        {me.error === null ? <Loader /> : <Failure error={me.error} onAgain={() => void me.refetch()} />}
      </div>
    ) : (
      <LoginPage why={why} />
    );
  return (
    <LiveProvider entry={me.dataUpdatedAt}>
      <a className="skip" href="#content">
        {texts.shell.skip}
      </a>
      <header className="bar">
        <Link to="/sessions" search={{}} className="brand">
          <img src="icon.svg" alt="" width={24} height={24} />
          {texts.product}
        </Link>
        <nav>
          <Link to="/sessions" search={{}} activeOptions={{ includeSearch: false }}>
            {texts.sessions}
          </Link>
          <Link to="/batches" search={{}} activeOptions={{ includeSearch: false }}>
            {texts.batches}
          </Link>
          {me.data.scopes.includes('submit') && (
            <Link to="/submit" search={{}} activeOptions={{ includeSearch: false }}>
              {texts.submit}
            </Link>
          )}
        </nav>
        <div className="bar-end">
          <LiveBadge />
          <Who me={me.data} />
          <ColourSwitch />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {refusal !== undefined && <LoginDialog why={why} />}
    </LiveProvider>
  );
};
