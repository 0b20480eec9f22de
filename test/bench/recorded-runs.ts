import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AttemptRecord, CycleRecord, SessionEvent, SessionRequest, SessionStop } from '@fleet/contracts';
import type { NewSession, NextPlace, SessionRecords } from '@fleet/ports';
import { anId } from '@fleet/testing';

interface RecordedCycle {
  readonly record: Required<CycleRecord>;
  /** By the move that wrote them. */
  readonly events: Readonly<Record<'decided' | 'started' | 'ended' | 'analysed', readonly SessionEvent[]>>;
}

/** A real session of six cycles (prediction, placement, refinement, validation) as it was run and stored. */
interface RecordedSession {
  readonly request: SessionRequest;
  readonly submitted: readonly SessionEvent[];
  readonly cycles: readonly RecordedCycle[];
  readonly stop: SessionStop;
}

const recorded = gunzipSync(readFileSync(join(__dirname, 'recorded-session.json.gz'))).toString();

/** The recorded session with an identity, files and checksums of its own, as every session has them. */
const another = (folder: string): RecordedSession =>
  JSON.parse(
    recorded
      .replaceAll('~/', `${folder}/`)
      .replace(/"sha256":"[0-9a-f]+"/g, () => `"sha256":"${randomBytes(32).toString('hex')}"`)
      .replace(/"modified":"\d+"/g, () => `"modified":"17953319${String(Math.random()).slice(2, 13).padEnd(11, '0')}"`),
  ) as RecordedSession;

/** So many cycles: the last two, a refinement and its validation, come again. */
const ofLength = ({ cycles }: RecordedSession, count: number): readonly RecordedCycle[] =>
  Array.from({ length: count }, (_, index) => {
    const found = cycles[index] ?? cycles[cycles.length - 2 + (index % 2)];
    if (found === undefined) throw new Error('the recorded session has no cycles');
    return JSON.parse(JSON.stringify(found).replace(/"cycle":\d+/g, `"cycle":${String(index + 1)}`)) as RecordedCycle;
  });

/** The attempt as it was before its end. */
const underWay = (attempt: AttemptRecord): AttemptRecord =>
  JSON.parse(JSON.stringify(attempt, (key, value: unknown) => (key === 'ending' ? undefined : value))) as AttemptRecord;

/** The moves of one cycle, each with what it writes. */
const movesOf = ({ record, events }: RecordedCycle, after: NextPlace) => {
  const { cycle, decision, attempts } = record;
  const executing = { stage: 'executing', cycle, attempt: 1 } as const;
  const started = attempts.map(underWay);
  return [
    { to: executing, cycleRecord: { cycle, decision, attempts: [] }, events: events.decided },
    { to: executing, cycleRecord: { cycle, decision, attempts: started }, events: events.started },
    { to: { ...executing, stage: 'analysing' }, cycleRecord: { cycle, decision, attempts }, events: events.ended },
    { to: after, cycleRecord: record, events: events.analysed },
  ] as const;
};

/**
 * Takes a session through that many cycles, move by move as the workers do, and leaves it in the decision after them, or ended.
 * @returns its id
 */
export const runRecorded = async (
  records: SessionRecords,
  workRoot: string,
  { cycles, ended }: { readonly cycles: number; readonly ended: boolean },
  createdAt = new Date().toISOString(),
): Promise<string> => {
  const id = anId();
  const proposal = 'mx31234';
  const folder = join(workRoot, proposal, id);
  const session = another(folder);
  const made: NewSession = { id, folder, request: { ...session.request, proposal }, createdAt };
  await records.create(made, session.submitted, 60_000);
  let fromVersion = 1;
  for (const one of ofLength(session, cycles)) {
    const { cycle } = one.record;
    const next: NextPlace =
      ended && cycle === cycles
        ? { ended: { ...session.stop, afterCycle: cycle } }
        : { stage: 'deciding', cycle: cycle + 1, attempt: 1 };
    for (const move of movesOf(one, next)) {
      const moved = await records.advance({ sessionId: id, fromVersion, dueInMs: 60_000, ...move });
      if (!moved.applied) throw new Error(`a move was not made: ${moved.because}`);
      fromVersion = moved.head.version;
    }
  }
  return id;
};
