import { ActionIcon, Group, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { may } from '@fleet/access';
import type { MeView } from '@fleet/contracts/access';
import { isAdmin } from '../api/is-admin';
import { shellTexts } from '../texts/shell';
import { operationsTexts } from '../texts/operations';
import { queueTexts } from '../texts/queues';
import { statisticsTexts } from '../texts/statistics';
import { wallTexts } from '../texts/wall';
import { LiveBadge } from '../parts/live-badge';
import { Who } from './who';
import css from './shell.module.css';
import ways from '../parts/ways.module.css';

const ColourSwitch = (): ReactElement => {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const scheme = useComputedColorScheme('light');
  const [other, label, Icon] =
    scheme === 'dark'
      ? (['light', shellTexts.light, IconSun] as const)
      : (['dark', shellTexts.dark, IconMoon] as const);
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setColorScheme(other)}>
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
};

/** The bar above every page but the wall. */
export const Bar = ({ me }: { readonly me: MeView }): ReactElement => (
  <header className={css.bar}>
    <Link to="/sessions" search={{}} className={css.brand}>
      <img src="icon.svg" alt="" width={24} height={24} />
      {shellTexts.product}
    </Link>
    <nav className={ways.ways}>
      <Link to="/sessions" search={{}} activeOptions={{ includeSearch: false }}>
        {shellTexts.sessions}
      </Link>
      <Link to="/batches" search={{}} activeOptions={{ includeSearch: false }}>
        {shellTexts.batches}
      </Link>
      <Link to="/statistics" search={{}} activeOptions={{ includeSearch: false }}>
        {statisticsTexts.title}
      </Link>
      {me.scopes.includes('submit') && (
        <Link to="/submit" search={{}} activeOptions={{ includeSearch: false }}>
          {shellTexts.submit}
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
    <Group gap="sm" ml="auto">
      <LiveBadge />
      <Who me={me} />
      <ColourSwitch />
    </Group>
  </header>
);
