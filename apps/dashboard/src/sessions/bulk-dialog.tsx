import { Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { SessionRow } from '@fleet/contracts';
import { plainLine, plainLines } from '@fleet/session-report';
import { cancelSession, retrySession } from '../api/calls';
import { Dialog } from '../shell/dialog';
import { texts } from '../texts';
import { eachOf, type Outcome } from './each-of';

/** What can be done to several sessions at once. */
export type BulkAction = 'cancel' | 'retry';

const work = { cancel: cancelSession, retry: retrySession } as const;

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

/** Asks once more, with the number; then says of each what came of it. */
export const BulkDialog = ({
  action,
  rows,
  onClose,
}: {
  readonly action: BulkAction;
  readonly rows: readonly Pick<SessionRow, 'id' | 'title'>[];
  readonly onClose: () => void;
}): ReactElement => {
  const queries = useQueryClient();
  const [said, setSaid] = useState<ReadonlyMap<string, Outcome>>();
  const words = texts.bulk[action];
  const run = async (): Promise<void> => {
    setSaid(new Map());
    await eachOf(
      rows.map(({ id }) => id),
      work[action],
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
      <ul className="bulk-rows" aria-live="polite">
        {rows.map((row) => (
          <li key={row.id} data-bulk={row.id}>
            <span className="bulk-title">{plainLine(row.title) || row.id}</span> <Said outcome={said?.get(row.id)} />
          </li>
        ))}
      </ul>
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
