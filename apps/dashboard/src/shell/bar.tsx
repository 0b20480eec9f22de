import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { may } from '@fleet/access';
import type { MeView } from '@fleet/contracts';
import { isAdmin } from '../operations/is-admin';
import { texts } from '../texts';
import { operationsTexts } from '../texts-operations';
import { queueTexts } from '../texts-queues';
import { wallTexts } from '../texts-wall';
import { LiveBadge } from './live-badge';
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

/** The bar above every page but the wall. */
export const Bar = ({ me }: { readonly me: MeView }): ReactElement => (
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
      {me.scopes.includes('submit') && (
        <Link to="/submit" search={{}} activeOptions={{ includeSearch: false }}>
          {texts.submit}
        </Link>
      )}
      {isAdmin(me) && (
        <Link to="/operations" search={{}} activeOptions={{ includeSearch: false }}>
          {operationsTexts.name}
        </Link>
      )}
      {!isAdmin(me) && may(me, 'queue.read') && (
        <Link to="/operations/queues" search={{}} activeOptions={{ includeSearch: false }}>
          {queueTexts.name}
        </Link>
      )}
      <Link to="/wall" search={{}}>
        {wallTexts.name}
      </Link>
    </nav>
    <div className="bar-end">
      <LiveBadge />
      <Who me={me} />
      <ColourSwitch />
    </div>
  </header>
);
