import { Button, Group, Text } from '@mantine/core';
import { IconArrowsSort } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import type { Priority } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { setBatchPriority } from '../../api/calls';
import { PriorityField } from '../../parts/priority-field';
import { Dialog } from '../../parts/dialog';
import { batchTexts } from '../../texts/batches';

const words = batchTexts.priority;

const Ask = ({ batch, onClose }: { readonly batch: BatchView; readonly onClose: () => void }): ReactElement => {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Priority>(batch.priority ?? 'standard');
  const giving = useMutation({
    mutationFn: () => setBatchPriority(batch.id, chosen),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['batch', batch.id] }),
  });
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <p>{words.what}</p>
      <PriorityField value={chosen} disabled={giving.data !== undefined} onChange={setChosen} />
      <Text role={giving.error === null ? 'status' : 'alert'} {...(giving.error !== null && { c: 'red' })}>
        {giving.error?.message ?? plainLine(giving.data?.message ?? '')}
      </Text>
      <Group justify="flex-end" gap="xs">
        {giving.data === undefined && (
          <Button
            loading={giving.isPending}
            onClick={() => {
              giving.mutate();
            }}
          >
            {words.button}
          </Button>
        )}
        <Button variant="default" data-autofocus onClick={onClose}>
          {giving.data === undefined ? batchTexts.act.leave : batchTexts.act.close}
        </Button>
      </Group>
    </Dialog>
  );
};

/** Changes the priority of a batch's rows that are not sessions yet. */
export const BatchPriorityAct = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowsSort size={14} />}
        onClick={() => {
          setAsking(true);
        }}
      >
        {words.open}
      </Button>
      {isAsking && (
        <Ask
          batch={batch}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
};
