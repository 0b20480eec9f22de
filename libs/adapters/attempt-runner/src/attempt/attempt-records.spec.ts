import type { RunSpec } from '@fleet/contracts/runs';
import { isSpecRecord, specHash } from './attempt-records';

const spec: RunSpec = {
  name: 's1-c001-a1',
  sessionFolder: '/work/mx1/s1',
  attemptFolder: 'c001-refine/a1',
  program: 'phenix.refine',
  argv: ['/opt/phenix.refine', 'model.pdb', 'data.mtz'],
  source: 'phenix',
  owner: { sessionId: 's1', cycle: 1, attempt: 1, proposal: 'mx1', beamline: 'i04', priority: 'standard' },
  resources: { class: 'cpu', cpus: 4, mayFallBack: false },
  limits: { wallClock: 60, memoryMiB: 100, outputBytes: 1000 },
};

describe('two specs with the same name', () => {
  it.each<[string, Partial<RunSpec>]>([
    ['command', { argv: ['/opt/phenix.refine', 'model.pdb data.mtz'] }],
    ['installation', { source: 'open-phenix' }],
    ['class of node', { resources: { ...spec.resources, class: 'gpu' } }],
    ['memory', { limits: { ...spec.limits, memoryMiB: 200 } }],
  ])('are two runs when their %s differs', (_, changes) => {
    expect(specHash({ ...spec, ...changes })).not.toBe(specHash(spec));
  });

  it.each<[string, Partial<RunSpec>]>([
    ['owner', { owner: { ...spec.owner, beamline: 'i03' } }],
    ['work root', { sessionFolder: '/mnt/work/mx1/s1' }],
    ['processors and readiness to fall back', { resources: { class: 'cpu', cpus: 8, mayFallBack: true } }],
  ])('are one run when only their %s differs', (_, changes) => {
    expect(specHash({ ...spec, ...changes })).toBe(specHash(spec));
  });
});

describe('what spec.json holds', () => {
  const held = (changes: object): unknown =>
    JSON.parse(JSON.stringify({ schemaVersion: 1, hash: specHash(spec), spec: { ...spec, ...changes } }));

  it.each<[string, object]>([
    ['a spec as it was asked for', {}],
    ['a spec with its files', { inputs: [{ argument: 1, path: '/data/model.pdb', name: '1/model.pdb' }] }],
    ['a spec that asks for a part of a processor', { resources: { ...spec.resources, cpus: 0.25 } }],
    ['a spec with a member that a newer release has added', { newer: true }],
  ])('is %s', (_, changes) => {
    expect(isSpecRecord(held(changes))).toBe(true);
  });

  it.each<[string, object]>([
    ['a command', { argv: 'phenix.refine' }],
    ['a kind of node that there is', { resources: { ...spec.resources, class: 'abacus' } }],
    ['limits', { limits: undefined }],
    ['a path for each file', { inputs: [{ name: '1/model.pdb' }] }],
  ])('is invalid without %s', (_, changes) => {
    expect(isSpecRecord(held(changes))).toBe(false);
  });
});
