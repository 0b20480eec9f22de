import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { Priority } from '@fleet/contracts/launches';
import type { SessionRow } from '@fleet/contracts/sessions';
import { plainLine, plainLines } from '@fleet/session-report';
import { api, retrySession } from '../../api/calls';
import { Dialog } from '../../parts/dialog';
import { bulkTexts } from '../../texts/sessions';
import { eachOf, type Outcome } from './each-of';
import { PriorityField } from '../../parts/priority-field';
import css from './sessions.module.css';

/** Actions for several sessions. */
export type BulkAction = 'cancel' | 'retry' | 'priority';

const OutcomeText = ({ outcome }: { readonly outcome: Outcome | undefined }): ReactElement => {
  if (outcome === undefined) return <></>;
  return outcome.done ? (
    <Text component="span" c="green">
      <IconCheck size={14} aria-hidden="true" /> {bulkTexts.done}
    </Text>
  ) : (
    <Text component="span" c="red">
      <IconX size={14} aria-hidden="true" /> {plainLines(outcome.why)}
    </Text>
  );
};

interface DialogProps {
  readonly rows: readonly Pick<SessionRow, 'id' | 'title'>[];
  readonly onClose: () => void;
}

const Rows = ({
  rows,
  outcomes,
}: Pick<DialogProps, 'rows'> & { readonly outcomes: ReadonlyMap<string, Outcome> | undefined }): ReactElement => (
  <ul className={css.rows} aria-live="polite">
    {rows.map((row) => (
      <li key={row.id} data-bulk={row.id}>
        <b>{plainLine(row.title) || row.id}</b> <OutcomeText outcome={outcomes?.get(row.id)} />
      </li>
    ))}
  </ul>
);

/**
 * Asks for confirmation with the number of sessions; then shows the result of each.
 * @param field a choice before it begins
 */
const EachDialog = ({
  action,
  work,
  field,
  rows,
  onClose,
}: DialogProps & {
  readonly action: BulkAction;
  readonly work: (id: string) => Promise<unknown>;
  readonly field?: (hasBegun: boolean) => ReactNode;
}): ReactElement => {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>();
  const words = bulkTexts[action];
  const run = async (): Promise<void> => {
    setOutcomes(new Map());
    await eachOf(
      rows.map(({ id }) => id),
      work,
      (id, outcome) => setOutcomes((before) => new Map(before).set(id, outcome)),
    );
    for (const list of ['sessions', 'counts', 'session']) void queries.invalidateQueries({ queryKey: [list] });
  };
  const isOver = outcomes?.size === rows.length;
  const isBusy = outcomes !== undefined && !isOver;
  return (
    <Dialog
      title={words.ask(rows.length)}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <p>{words.what}</p>
      {field?.(outcomes !== undefined)}
      <Rows rows={rows} outcomes={outcomes} />
      <Group justify="flex-end" gap="xs">
        {isOver && <span className="quiet">{bulkTexts.result([...outcomes.values()])}</span>}
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
          {outcomes === undefined ? bulkTexts.leave : bulkTexts.close}
        </Button>
      </Group>
    </Dialog>
  );
};

const PriorityDialog = (props: DialogProps): ReactElement => {
  const [priority, choosePriority] = useState<Priority>('standard');
  return (
    <EachDialog
      {...props}
      action="priority"
      work={(id) => api.json('POST /v1/sessions/{id}/priority', { path: { id }, body: { priority } })}
      field={(hasBegun) => <PriorityField value={priority} disabled={hasBegun} onChange={choosePriority} />}
    />
  );
};

const dialogs: Readonly<Record<BulkAction, (props: DialogProps) => ReactElement>> = {
  cancel: (props) => (
    <EachDialog {...props} action="cancel" work={(id) => api.json('POST /v1/sessions/{id}/cancel', { path: { id } })} />
  ),
  retry: (props) => <EachDialog {...props} action="retry" work={retrySession} />,
  priority: (props) => <PriorityDialog {...props} />,
};

/** Applies an action to several sessions, after a confirmation. */
export const BulkDialog = ({ action, ...props }: DialogProps & { readonly action: BulkAction }): ReactElement =>
  dialogs[action](props);
