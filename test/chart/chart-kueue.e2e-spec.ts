// @needs helm
import { priorities } from '@fleet/contracts/launches';
import { load } from 'js-yaml';
import { find, render, type Rendered } from './chart-command';

/** What the settings file says of Kueue. */
const kueueOf = (objects: readonly Rendered[]): Readonly<Record<string, unknown>> => {
  const text = find(objects, 'ConfigMap', '-kubernetes').data?.['kubernetes.yaml'] ?? '';
  return (load(text) as { kueue: Record<string, unknown> }).kueue;
};

describe('WorkloadPriorityClasses', () => {
  const objects = render('facility-gpu-kueue');
  const valueOf = (name: unknown): number | undefined =>
    objects.find(({ kind, metadata }) => kind === 'WorkloadPriorityClass' && metadata.name === name)?.value;

  it('are created for each priority of sessions, and the executor receives their names', () => {
    const { priorityClasses } = kueueOf(objects);
    expect(priorityClasses).toEqual({ live: 'phenix-live', standard: 'phenix-standard', backfill: 'phenix-backfill' });
    const values = priorities.map((priority) => valueOf((priorityClasses as Record<string, string>)[priority]));
    expect(values).toEqual([2000, 1000, 100]);
  });

  it('are one for all priorities where none is named by priority', () => {
    const over = { 'kueue.priorityClasses': null, 'kueue.priorityClass': 'phenix-standard' };
    const kueue = kueueOf(render('facility-gpu-kueue', over));
    expect(kueue).toMatchObject({ priorityClass: 'phenix-standard' });
    expect(kueue).not.toHaveProperty('priorityClasses');
  });
});
