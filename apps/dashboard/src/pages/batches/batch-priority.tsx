import { IconArrowsSort } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { api } from '../../api/calls';
import { AskButton, Asking } from '../../parts/asking';
import { PriorityField } from '../../parts/priority-field';
import { batchTexts } from '../../texts/batches';

const words = batchTexts.priority;

const Ask = ({ batch, onClose }: { readonly batch: BatchView; readonly onClose: () => void }): ReactElement => {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Priority>(batch.priority ?? 'standard');
  const set = async (): Promise<string> => {
    const { message } = await api.json('POST /v1/batches/{id}/priority', {
      path: { id: batch.id },
      body: { priority: chosen },
    });
    await queries.invalidateQueries({ queryKey: ['batch', batch.id] });
    return plainLine(message);
  };
  return (
    <Asking words={words} work={set} onClose={onClose}>
      {(isDone) => <PriorityField value={chosen} disabled={isDone} onChange={setChosen} />}
    </Asking>
  );
};

/** Changes the priority of a batch's rows that are not sessions yet. */
export const BatchPriorityAct = ({ batch }: { readonly batch: BatchView }): ReactElement => (
  <AskButton
    label={words.open}
    icon={<IconArrowsSort size={14} />}
    dialog={(onClose) => <Ask batch={batch} onClose={onClose} />}
  />
);
