import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Priority, SessionRow } from '@fleet/contracts';
import { plainLine, plainLines } from '@fleet/session-report';
import { cancelSession, retrySession, setPriority } from '../api/calls';
import { Dialog } from '../shell/dialog';
import { texts } from '../texts';
import { eachOf, type Outcome } from './each-of';
import { PriorityField } from './priority-field';

/** What can be done to several sessions at once. */
export type BulkAction = 'cancel' | 'retry' | 'priority';

const Said = ({ outcome }: { readonly outcome: Outcome | undefined }): ReactElement => {
  if (outcome === undefined) return <></>;
  return outcome.done ? (
    <span className="mark-success">
      <IconCheck size={14} aria-hidden="true" /> {texts.bulk.done}
    </span>
  ) : (
    <span className="mark-failed">
      <IconX size={14} aria-hidden="true" /> {plainLines(outcome.why)}
    </span>
  );
};

interface Asked {
  readonly rows: readonly Pick<SessionRow, 'id' | 'title'>[];
  readonly onClose: () => void;
}

const Rows = ({
  rows,
  said,
}: Pick<Asked, 'rows'> & { readonly said: ReadonlyMap<string, Outcome> | undefined }): ReactElement => (
  <ul className="bulk-rows" aria-live="polite">
    {rows.map((row) => (
      <li key={row.id} data-bulk={row.id}>
        <span className="bulk-title">{plainLine(row.title) || row.id}</span> <Said outcome={said?.get(row.id)} />
      </li>
    ))}
  </ul>
);

/**
 * Asks once more, with the number; then says of each its outcome.
 * @param field what is picked before it begins
 */
const EachDialog = ({
  action,
  work,
  field,
  rows,
  onClose,
}: Asked & {
  readonly action: BulkAction;
  readonly work: (id: string) => Promise<unknown>;
  readonly field?: (hasBegun: boolean) => ReactNode;
}): ReactElement => {
  const queries = useQueryClient();
  const [said, setSaid] = useState<ReadonlyMap<string, Outcome>>();
  const words = texts.bulk[action];
  const run = async (): Promise<void> => {
    setSaid(new Map());
    await eachOf(
      rows.map(({ id }) => id),
      work,
      (id, outcome) => {
        setSaid((before) => new Map(before).set(id, outcome));
      },
    );
    for (const list of ['sessions', 'counts', 'session']) void queries.invalidateQueries({ queryKey: [list] });
  };
  const isOver = said?.size === rows.length;
  const isBusy = said !== undefined && !isOver;
  return (
    <Dialog
      title={words.ask(rows.length)}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <p>{words.what}</p>
      {field?.(said !== undefined)}
      <Rows rows={rows} said={said} />
      <div className="dialog-ends">
        {isOver && <span className="quiet">{texts.bulk.came([...said.values()])}</span>}
        {!isOver && (
          <Button
            color={action === 'cancel' ? 'red' : 'blue'}
            loading={isBusy}
            onClick={() => {
              void run();
            }}
          >
            {words.button(rows.length)}
          </Button>
        )}
        <Button variant="default" data-autofocus onClick={onClose} disabled={isBusy}>
          {said === undefined ? texts.bulk.leave : texts.bulk.close}
        </Button>
      </div>
    </Dialog>
  );
};

const PriorityDialog = (asked: Asked): ReactElement => {
  const [wish, setWish] = useState<Priority>('standard');
  return (
    <EachDialog
      {...asked}
      action="priority"
      work={(id) => setPriority(id, wish)}
      field={(hasBegun) => <PriorityField value={wish} disabled={hasBegun} onChange={setWish} />}
    />
  );
};

const dialogs: Readonly<Record<BulkAction, (asked: Asked) => ReactElement>> = {
  cancel: (asked) => <EachDialog {...asked} action="cancel" work={cancelSession} />,
  retry: (asked) => <EachDialog {...asked} action="retry" work={retrySession} />,
  priority: (asked) => <PriorityDialog {...asked} />,
};

/** Does the same to several sessions, after a question. */
export const BulkDialog = ({ action, ...asked }: Asked & { readonly action: BulkAction }): ReactElement =>
  dialogs[action](asked);
