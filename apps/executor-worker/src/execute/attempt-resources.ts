import type { AttemptResources, CycleRecord, EndingKind } from '@fleet/contracts/sessions';
import type { ProgramResources } from '@fleet/knowledge-model';

/** Memory sizes that the backend offers for one program. */
export type MemorySteps =
  /** Ascending; a program gets the first sufficient one. */
  | { readonly classesMiB: readonly number[] }
  /** The memory of this machine for programs: a program gets what it needs, then twice that, up to all. */
  | { readonly machineMiB: number };

export interface ResourceLimits {
  readonly memory: MemorySteps;
  /** Whether there are GPU nodes: only then does a program that runs on either request a GPU. */
  readonly gpus: boolean;
}

type Wanted = Pick<ProgramResources, 'class' | 'cpus' | 'memoryMiB'>;

const endings = (record: CycleRecord, kind: EndingKind): number =>
  record.attempts.filter(({ ending }) => ending?.kind === kind).length;

/** How often a program of this cycle was killed for its memory. */
const memoryKills = (record: CycleRecord): number => endings(record, 'memory_limit');

/**
 * Memory of an attempt in MiB.
 * @param wantedMiB from the knowledge; undefined (an unknown program): the maximum
 * @param kills how often less was not enough
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

/** The next larger memory after the attempts of this cycle, in MiB; undefined after the maximum. */
export const largerMemory = (
  steps: MemorySteps,
  wantedMiB: number | undefined,
  record: CycleRecord,
): number | undefined => {
  const kills = memoryKills(record);
  const next = memoryAfter(steps, wantedMiB, kills);
  return kills > 0 && next > memoryAfter(steps, wantedMiB, kills - 1) ? next : undefined;
};

/** A program that runs on either uses a GPU if there are some, until it has waited for one in vain. */
const wantsGpu = (record: CycleRecord, wanted: Wanted | undefined, gpus: boolean): boolean =>
  wanted?.class === 'gpu' || (wanted?.class === 'either' && gpus && endings(record, 'gpu_unavailable') === 0);

/** Resources of the cycle's current attempt; depend only on the knowledge and the cycle's earlier attempts. */
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
