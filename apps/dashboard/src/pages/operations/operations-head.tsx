import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { may } from '@fleet/access';
import { useMe } from '../../parts/use-me';
import { keyTexts } from '../../texts/keys';
import { operationsTexts } from '../../texts/operations';
import { queueTexts } from '../../texts/queues';
import css from '../../parts/ways.module.css';

/** Tabs of the administration pages that the user may see. */
export const OperationsHead = (): ReactElement => {
  const { data: me } = useMe();
  return (
    <>
      <h1>{operationsTexts.name}</h1>
      {me !== undefined && may(me, 'queue.read') && (
        <nav className={css.ways} data-below aria-label={operationsTexts.name}>
          {may(me, 'admin.read') && (
            <Link to="/operations" search={{}} activeOptions={{ exact: true, includeSearch: false }}>
              {operationsTexts.overview}
            </Link>
          )}
          <Link to="/operations/queues" search={{}} activeOptions={{ includeSearch: false }}>
            {queueTexts.name}
          </Link>
          {may(me, 'keys.read') && (
            <Link to="/operations/keys" search={{}} activeOptions={{ includeSearch: false }}>
              {keyTexts.name}
            </Link>
          )}
        </nav>
      )}
    </>
  );
};
