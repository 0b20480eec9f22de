import { aCycle, anAttempt, anEnding } from '@fleet/testing';
import type { CycleRecord, EndingKind } from '@fleet/contracts/sessions';
import { attemptResources, largerMemory, memoryAfter } from './attempt-resources';

const classes = { classesMiB: [2048, 4096, 8192] };
const machine = { machineMiB: 6000 };

const after = (...kinds: readonly EndingKind[]): CycleRecord =>
  aCycle({ attempts: kinds.map((kind, index) => anAttempt({ attempt: index + 1, ending: anEnding({ kind }) })) });

describe('the memory of an attempt', () => {
  it.each([
    ['the first class that is large enough', classes, 2048, 0, 2048],
    ['the next larger one when none fits exactly', classes, 3000, 0, 4096],
    ['the largest for more than there is', classes, 99_999, 0, 8192],
    ['the largest for an unknown program', classes, undefined, 0, 8192],
    ['one class more after each kill', classes, 1000, 2, 8192],
    ['no more than the largest', classes, 1000, 9, 8192],
    ['what the program needs', machine, 1000, 0, 1000],
    ['twice that after each kill', machine, 1000, 2, 4000],
    ['no more than the machine has', machine, 1000, 3, 6000],
    ['all of the machine for an unknown program', machine, undefined, 0, 6000],
  ])('is %s', (_what, steps, wanted, kills, size) => {
    expect(memoryAfter(steps, wanted, kills)).toBe(size);
  });

  it.each([
    ['nothing was killed', classes, after('lost'), undefined],
    ['it was killed once', classes, after('memory_limit'), 4096],
    ['it was killed twice, and lost in between', classes, after('memory_limit', 'lost', 'memory_limit'), 8192],
    ['the largest class was not enough', classes, after('memory_limit', 'memory_limit', 'memory_limit'), undefined],
    ['the machine has a little more', machine, after('memory_limit', 'memory_limit'), 6000],
    ['the machine has no more', machine, after('memory_limit', 'memory_limit', 'memory_limit'), undefined],
  ])('has a larger size or none when %s', (_what, steps, record, next) => {
    expect(largerMemory(steps, 2000, record)).toBe(next);
  });
});

describe('the resource class', () => {
  const limits = { memory: classes, gpus: true };
  const wanted = { cpus: 2, memoryMiB: 2048 };
  it.each([
    ['cpu', true, after(), 'cpu', false],
    ['gpu', true, after(), 'gpu', false],
    ['gpu', true, after('gpu_unavailable'), 'gpu', false],
    ['either', true, after(), 'gpu', true],
    ['either', true, after('lost'), 'gpu', true],
    ['either', true, after('gpu_unavailable'), 'cpu', false],
    ['either', true, after('gpu_unavailable', 'lost'), 'cpu', false],
    ['either', false, after(), 'cpu', false],
  ] as const)('of a program of class %s (GPUs: %s)', (programClass, gpus, record, expected, mayFallBack) => {
    expect(attemptResources(record, { ...wanted, class: programClass }, { ...limits, gpus })).toEqual({
      class: expected,
      cpus: 2,
      memoryMiB: 2048,
      mayFallBack,
    });
  });

  it('of an unknown program is cpu, with the largest memory', () => {
    expect(attemptResources(after(), undefined, limits)).toMatchObject({ class: 'cpu', cpus: 1, memoryMiB: 8192 });
  });
});
