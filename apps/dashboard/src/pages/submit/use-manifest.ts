import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { BatchView, BatchRequest } from '@fleet/contracts/batches';
import { api, createBatch, fetchBatch } from '../../api/calls';
import { typeOfManifest } from './manifest-text';
import { RepeatKeys } from './repeat-key';
import { useDraft } from '../../parts/use-draft';

const emptyManifest = { name: '', text: '', title: '', proposal: '', base: '' };

/** A draft of rows, and of the batch that they become. */
export type Manifest = Readonly<typeof emptyManifest>;

/** Creates the batch and adds the rows. A repeat continues where it was interrupted. */
const sendManifest = async (
  { name, text, title, proposal, base }: Manifest,
  start: 'never' | 'each',
  keys: RepeatKeys,
): Promise<string> => {
  const request: BatchRequest = {
    start,
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(proposal.trim() !== '' && { proposal: proposal.trim() }),
    ...(base.trim() !== '' && { base: base.trim() }),
  };
  const { id } = await createBatch(request, keys.of({ request, text }));
  const raw = { type: typeOfManifest(name), content: text };
  await api.json('POST /v1/batches/{id}/rows', { path: { id }, query: { complete: 'true' }, raw });
  return id;
};

/** Identifies the validated content, to detect changes. */
const stampOf = ({ name, text, title, proposal, base }: Manifest): string =>
  JSON.stringify([typeOfManifest(name), text, title, proposal, base]);

/** How a manifest relates to the last validation. */
type CheckState = 'unchecked' | 'again' | 'changed' | 'checking' | 'checked';

const checkStateOf = (manifest: Manifest, checked: string, batch: BatchView | undefined): CheckState => {
  if (batch === undefined) return 'unchecked';
  if (checked !== stampOf(manifest)) return checked === '' ? 'again' : 'changed';
  return batch.states.waiting === 0 ? 'checked' : 'checking';
};

/** A manifest, the validation of its rows, and its submission. */
export interface ManifestWork {
  readonly manifest: Manifest;
  readonly change: (more: Partial<Manifest>) => void;
  /** The batch in which the rows were validated. */
  readonly batch: BatchView | undefined;
  readonly checkState: CheckState;
  readonly isChecking: boolean;
  readonly isSending: boolean;
  readonly failure: string | undefined;
  readonly check: () => void;
  readonly send: () => void;
}

/** Polled every second until each row has its state. */
const useCheckedBatch = (id: string | undefined): { readonly batch: BatchView | undefined; readonly error?: Error } => {
  const { data, error } = useQuery({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => fetchBatch(id ?? '', signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.done === true ? false : 1_000),
  });
  return { batch: id === undefined ? undefined : data, ...(error !== null && { error }) };
};

/** Edits a manifest, validates its rows in a dry-run batch, and submits it. */
export const useManifest = (): ManifestWork => {
  const { check } = useSearch({ from: '/submit/manifest' });
  const navigate = useNavigate();
  const [manifest, change, clear] = useDraft<Manifest>('manifest', emptyManifest);
  const [keys] = useState(() => new RepeatKeys());
  const [checked, setChecked] = useState('');
  const { batch, error } = useCheckedBatch(check);
  const checking = useMutation({
    mutationFn: async (checkedManifest: Manifest) => ({
      checkedManifest,
      id: await sendManifest(checkedManifest, 'never', keys),
    }),
    onSuccess: async ({ checkedManifest, id }) => {
      setChecked(stampOf(checkedManifest));
      await navigate({ to: '/submit/manifest', search: { check: id }, replace: true });
    },
  });
  const sending = useMutation({
    mutationFn: () => sendManifest(manifest, 'each', keys),
    onSuccess: async (id) => {
      clear();
      await navigate({ to: '/batches/$id', params: { id }, search: {} });
    },
  });
  return {
    manifest,
    change,
    batch,
    checkState: checkStateOf(manifest, checked, batch),
    isChecking: checking.isPending,
    isSending: sending.isPending,
    failure: (checking.error ?? sending.error ?? error)?.message,
    check: () => checking.mutate(manifest),
    send: () => sending.mutate(),
  };
};
