import type { AttemptResources, CycleRecord, EndingKind } from '@fleet/contracts/sessions';
import type { ProgramResources } from '@fleet/knowledge-model';

/** What memory the backend can give one program. */
export type MemorySteps =
  /** Ascending; a program gets the first one that is large enough. */
  | { readonly classesMiB: readonly number[] }
  /** All that programs may take of this machine: a program gets what it needs, then twice that, up to all. */
  | { readonly machineMiB: number };

export interface ResourceLimits {
  readonly memory: MemorySteps;
  /** Whether there are GPU nodes: only then is a GPU asked for by a program that runs on either. */
  readonly gpus: boolean;
}

type Wanted = Pick<ProgramResources, 'class' | 'cpus' | 'memoryMiB'>;

const endings = (record: CycleRecord, kind: EndingKind): number =>
  record.attempts.filter(({ ending }) => ending?.kind === kind).length;

/** Times that a program of this cycle was ended for its memory. */
const memoryKills = (record: CycleRecord): number => endings(record, 'memory_limit');

/**
 * Memory of an attempt in MiB.
 * @param wantedMiB what the knowledge says; undefined (a program that it does not describe): the most there is
 * @param kills times that less was not enough
 */
export const memoryAfter = (steps: MemorySteps, wantedMiB: number | undefined, kills: number): number => {
  if ('machineMiB' in steps) {
    return Math.floor(Math.min((wantedMiB ?? steps.machineMiB) * 2 ** kills, steps.machineMiB));
  }
  const { classesMiB } = steps;
  const last = classesMiB.length - 1;
  const fitting = wantedMiB === undefined ? -1 : classesMiB.findIndex((size) => size >= wantedMiB);
  return classesMiB[Math.min((fitting === -1 ? last : fitting) + kills, last)] ?? 0;
};

/** The next larger memory after the attempts of this cycle, in MiB; undefined when they had the most there is. */
export const largerMemory = (
  steps: MemorySteps,
  wantedMiB: number | undefined,
  record: CycleRecord,
): number | undefined => {
  const kills = memoryKills(record);
  const next = memoryAfter(steps, wantedMiB, kills);
  return kills > 0 && next > memoryAfter(steps, wantedMiB, kills - 1) ? next : undefined;
};

/** One that runs on either takes a GPU where there are some, until it waited for one in vain. */
const wantsGpu = (record: CycleRecord, wanted: Wanted | undefined, gpus: boolean): boolean =>
  wanted?.class === 'gpu' || (wanted?.class === 'either' && gpus && endings(record, 'gpu_unavailable') === 0);

/** What the current attempt of this cycle may take; follows from the knowledge and the cycle's earlier attempts alone. */
export const attemptResources = (
  record: CycleRecord,
  wanted: Wanted | undefined,
  { memory, gpus }: ResourceLimits,
): AttemptResources & { readonly mayFallBack: boolean } => {
  const onGpu = wantsGpu(record, wanted, gpus);
  return {
    class: onGpu ? 'gpu' : 'cpu',
    cpus: wanted?.cpus ?? 1,
    memoryMiB: memoryAfter(memory, wanted?.memoryMiB, memoryKills(record)),
    mayFallBack: onGpu && wanted?.class === 'either',
  };
};
