import { Button, Group, Paper, Stack } from '@mantine/core';
import {
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import { plainLine } from '@fleet/session-report';
import { api, downloadBatch } from '../../api/calls';
import { useMe } from '../../parts/use-me';
import { Ago } from '../../parts/time';
import { CopyButton } from '../../parts/copy-button';
import { AskButton, Asking } from '../../parts/asking';
import { sessionTexts } from '../../texts/session';
import { batchTexts } from '../../texts/batches';
import { BatchPriorityAct } from './batch-priority';
import { OutcomeBar } from './outcome-bar';
import { Fact, Facts } from '../../parts/facts';

type Act = 'pause' | 'resume' | 'cancel' | 'retry';

const icons: Readonly<Record<Act, TablerIcon>> = {
  pause: IconPlayerPause,
  resume: IconPlayerPlay,
  cancel: IconPlayerStop,
  retry: IconRefresh,
};

/** Number of rows that an action affects. */
const countFor = (act: Act, { states, sessions, rows }: BatchView): number => {
  const toCome = states.waiting + states.checked;
  if (act === 'retry') return states.rejected + sessions.failed;
  if (act === 'cancel') return toCome + sessions.running;
  return Math.min(rows, toCome);
};

const shownActs: readonly Act[] = ['pause', 'resume', 'cancel', 'retry'];

/** The available actions of a batch. */
const actsOf = (batch: BatchView): readonly Act[] => {
  if (batch.status === 'cancelled') return [];
  const pauseOrResume: Act = batch.status === 'paused' ? 'resume' : 'pause';
  const acts: readonly Act[] = [pauseOrResume, 'cancel', 'retry'];
  return acts.filter((act) => act === 'resume' || countFor(act, batch) > 0);
};

/** Returns a text on the result, if the page does not show it. */
const execute = async (act: Act, id: string): Promise<string | undefined> => {
  if (act === 'retry') {
    const { retried } = await api.json('POST /v1/batches/{id}/retry', { path: { id }, body: {} });
    return batchTexts.act.retried(retried);
  }
  await api.json(`POST /v1/batches/{id}/${act}`, { path: { id } });
  return undefined;
};

const AskAct = ({
  act,
  batch,
  onClose,
}: {
  readonly act: Act;
  readonly batch: BatchView;
  readonly onClose: () => void;
}): ReactElement => {
  const queries = useQueryClient();
  const { ask, what, button } = batchTexts.act[act];
  const [count] = useState(countFor(act, batch));
  return (
    <Asking
      words={{ ask, what: what(count), button: typeof button === 'string' ? button : button(count) }}
      color={act === 'cancel' ? 'red' : 'blue'}
      work={async () => {
        const result = await execute(act, batch.id);
        await queries.invalidateQueries({ queryKey: ['batch', batch.id] });
        return result;
      }}
      onClose={onClose}
    />
  );
};

const Acts = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const me = useMe();
  const mayChange = me.data?.scopes.includes('change') === true;
  const acts = mayChange ? actsOf(batch) : [];
  const { sort = 'row' } = useSearch({ from: '/batches/$id' });
  const table = useMutation({
    mutationFn: () => downloadBatch(batch.id, sort === 'title' || sort === 'outcome' ? 'row' : sort),
  });
  return (
    <Group gap="xs">
      {shownActs.map((act) => {
        const Icon = icons[act];
        return (
          <AskButton
            key={act}
            label={batchTexts.act[act].open}
            icon={<Icon size={14} />}
            isOffered={acts.includes(act)}
            dialog={(onClose) => <AskAct act={act} batch={batch} onClose={onClose} />}
          />
        );
      })}
      {acts.includes('cancel') && <BatchPriorityAct batch={batch} />}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} />}
        loading={table.isPending}
        onClick={() => table.mutate()}
      >
        {batchTexts.csv}
      </Button>
      <Link to="/sessions" search={{ batch: batch.id }}>
        {batchTexts.sessions}
      </Link>
      {table.error !== null && <span role="alert">{table.error.message}</span>}
    </Group>
  );
};

/** Title, progress and actions of a batch. */
export const BatchHeader = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const { facts } = batchTexts;
  const shownFacts = [
    [facts.proposal, batch.proposal],
    [facts.submitter, plainLine(batch.submitter)],
    [facts.rows, String(batch.rows)],
    [facts.status, batchTexts.status[batch.status]],
  ] as const;
  return (
    <Paper component="section">
      <Stack gap="sm">
        <Group gap="sm">
          <h1>{plainLine(batch.title) || batchTexts.untitled}</h1>
          <Group component="span" gap={4} ml="auto" c="dimmed" ff="monospace" fz="xs">
            {batch.id}
            <CopyButton text={batch.id} label={sessionTexts.copyId} />
          </Group>
        </Group>
        <Facts>
          {shownFacts
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          <Fact name={facts.made}>
            <Ago at={batch.createdAt} />
          </Fact>
        </Facts>
        <p data-testid="batch-state">{plainLine(batch.state)}</p>
        <div>
          <OutcomeBar batch={batch} />
        </div>
        <Acts batch={batch} />
      </Stack>
    </Paper>
  );
};
