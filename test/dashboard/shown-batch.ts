import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchRowPage, BatchView } from '@fleet/contracts/batches';
import type { RowProgress, StopReason } from '@fleet/contracts/sessions';
import { someReflections } from '../api/gateway-harness';
import type { ShownBrowser } from './shown-browser';

interface Ends {
  readonly reason: StopReason;
  readonly detail: string;
  readonly rFree?: number;
}

/** The outcome of rows, over and over. */
const endings: readonly (Ends | undefined)[] = [
  { reason: 'converged', detail: 'R-free has reached the target', rFree: 0.21 },
  { reason: 'plateau', detail: 'R-free gets no better', rFree: 0.245 },
  { reason: 'converged', detail: 'R-free has reached the target', rFree: 0.225 },
  { reason: 'unsatisfactory', detail: 'R-free 0.41 is far from what data to 1.8 Å promise', rFree: 0.41 },
  { reason: 'program_failed', detail: 'phenix.refine failed: Sorry: the space group of /data/x1.pdb differs' },
  undefined,
  { reason: 'infrastructure', detail: 'The node went away three times' },
  { reason: 'converged', detail: 'R-free has reached the target', rFree: 0.232 },
];

/** A campaign: most of it has ended, some runs, two rows were rejected. @returns its id */
export const shownBatch = async ({ gateway, store }: ShownBrowser, rows: number): Promise<string> => {
  const folder = join(gateway.root, 'data/campaign');
  mkdirSync(folder, { recursive: true });
  const listed = Array.from({ length: rows }, (_, at) => {
    const path = join(folder, `x${String(at + 1)}.sca`);
    if (at % 11 !== 5) writeFileSync(path, someReflections);
    return { title: `Mpro-x${String(at + 1)}`, files: [path] };
  });
  const made = await fetch(`${gateway.url}/v1/batches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Fragment campaign 3', proposal: 'mx1234', rows: listed }),
  });
  const { id } = (await made.json()) as BatchView;
  const json = async <T>(path: string): Promise<T> => (await (await fetch(`${gateway.url}${path}`)).json()) as T;
  while ((await json<BatchView>(`/v1/batches/${id}`)).states.waiting > 0)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const rejected = await json<BatchRowPage>(`/v1/batches/${id}/rows?limit=500&state=rejected`);
  const others = rejected.rows.flatMap(({ problems = [] }) => problems).filter(({ code }) => code !== 'file.missing');
  if (others.length > 0) throw new Error(`right files were rejected: ${JSON.stringify(others)}`);
  const page = await json<BatchRowPage>(`/v1/batches/${id}/rows?limit=500&state=accepted`);
  for (const { row, session: sessionId } of page.rows) {
    const end = endings[row % endings.length];
    if (end === undefined || sessionId === undefined) continue;
    const { rFree, ...ended } = end;
    const resolution = 1.4 + (row % 9) / 10;
    const value = rFree === undefined ? undefined : rFree + (row % 5) / 200;
    const progress: RowProgress = {
      program: 'phenix.refine',
      resolution,
      spaceGroup: 'P 21 21 21',
      ...(value !== undefined && { fit: { metric: 'r_free', value, rWork: value - 0.03, resolution } }),
    };
    const to = { ended: { ...ended, afterCycle: 3 } };
    await store.records.advance({ sessionId, fromVersion: 1, to, progress, events: [], dueInMs: 60_000 });
  }
  return id;
};

/** Rows that are valid and wait for the rest of their manifest. @returns its id */
export const waitingBatch = async ({ gateway }: ShownBrowser): Promise<string> => {
  const made = await fetch(`${gateway.url}/v1/batches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Not complete yet', proposal: 'mx1234', start: 'together' }),
  });
  const { id } = (await made.json()) as BatchView;
  await fetch(`${gateway.url}/v1/batches/${id}/rows`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `files\n${gateway.reflections}\n`,
  });
  return id;
};
