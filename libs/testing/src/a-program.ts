import type { InputSlot, ProgramKnowledge } from '@fleet/knowledge-model';

/** A required input for reflection data. */
export const aSlot = (changes: Partial<InputSlot> = {}): InputSlot => ({
  slot: 'data',
  formats: ['mtz'],
  categories: ['data_mtz'],
  required: true,
  ...changes,
});

/** A program as in the knowledge: it takes reflection data, and has no settings. */
export const aProgram = (changes: Partial<ProgramKnowledge> = {}): ProgramKnowledge => ({
  name: 'phenix.example',
  purpose: 'an example',
  experiments: ['xray'],
  group: 'refinement',
  done: { flag: 'example_done', strategy: 'count' },
  inputs: [aSlot()],
  defaults: [],
  strategy: [],
  auto_fill: [],
  requirements: [],
  outputs: [],
  resources: { class: 'cpu', cpus: 1, memoryMiB: 1000, wallClockMinutes: 10, why: 'small' },
  metrics: [],
  ...changes,
});
