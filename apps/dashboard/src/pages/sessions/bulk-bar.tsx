import { Button } from '@mantine/core';
import { IconArrowsSort, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { isEnded, type SessionRow } from '@fleet/contracts/sessions';
import { bulkTexts } from '../../texts/sessions';
import { compareTexts } from '../../texts/compare';
import { BulkDialog, type BulkAction } from './bulk-dialog';
import type { Selection } from './selection';
import css from './sessions.module.css';

/** The selected rows to which an action applies. */
const fits: Readonly<Record<BulkAction, (row: SessionRow) => boolean>> = {
  cancel: ({ status }) => status === 'running',
  retry: ({ status, outcome }) => isEnded(status) && outcome !== 'solved',
  priority: ({ status }) => status === 'running',
};

const Act = ({
  action,
  count,
  icon,
  onAsk,
}: {
  readonly action: BulkAction;
  readonly count: number;
  readonly icon: ReactElement;
  readonly onAsk: () => void;
}): ReactElement => (
  <Button size="xs" variant="default" leftSection={icon} disabled={count === 0} onClick={onAsk}>
    {bulkTexts[action].open(count)}
  </Button>
);

const icons = {
  cancel: <IconPlayerStop size={14} />,
  retry: <IconRefresh size={14} />,
  priority: <IconArrowsSort size={14} />,
} as const;

/** Two selected sessions can be compared. */
const CompareLink = ({ marked: [left, right, ...more] }: { readonly marked: readonly SessionRow[] }): ReactElement =>
  left === undefined || right === undefined || more.length > 0 ? (
    <></>
  ) : (
    <Link to="/compare" search={{ left: left.id, right: right.id }}>
      {compareTexts.open}
    </Link>
  );

/** Actions for the selected rows; empty without a selection. */
export const BulkBar = ({
  rows,
  selection,
}: {
  readonly rows: readonly SessionRow[];
  readonly selection: Selection;
}): ReactElement => {
  /** Fixed when the dialog opens, because rows keep changing. */
  const [asked, setAsked] = useState<{ readonly action: BulkAction; readonly rows: readonly SessionRow[] }>();
  const marked = rows.filter(({ id }) => selection.ids.has(id));
  return (
    <>
      {marked.length > 0 && (
        <div className={css.bulk} role="toolbar" aria-label={bulkTexts.label} data-testid="bulk">
          <b>{bulkTexts.marked(marked.length)}</b>
          {(['cancel', 'retry', 'priority'] as const).map((action) => {
            const those = marked.filter(fits[action]);
            return (
              <Act
                key={action}
                action={action}
                count={those.length}
                icon={icons[action]}
                onAsk={() => setAsked({ action, rows: those })}
              />
            );
          })}
          <CompareLink marked={marked} />
          <Button size="xs" variant="subtle" onClick={() => selection.toggle([...selection.ids], false)}>
            {bulkTexts.none}
          </Button>
        </div>
      )}
      {asked !== undefined && <BulkDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
};
