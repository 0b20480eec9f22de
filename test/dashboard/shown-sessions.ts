import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { CycleRecord, SessionFit, StopReason } from '@fleet/contracts/sessions';
import type { NewSession, SessionRecords } from '@fleet/ports';
import {
  aCycle,
  aDecision,
  aFile,
  aGuidance,
  anAttempt,
  anEvent,
  anId,
  aNewSession,
  aRequest,
  aResult,
  someSettings,
} from '@fleet/testing';
import { steps, type Step } from './shown-steps';

/** What a page may never carry out, wherever it stands. */
export const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Of a file that nobody ever wrote. */
const pinOf = (cycle: number) => ({
  inode: '1',
  size: 412_345,
  modified: '1',
  sha256: `${String(cycle)}4c1d9e0b7a83f265`.repeat(4).slice(0, 64),
});

const cycleOf = (
  folder: string,
  { program, step, why, says, metrics = {}, fails, makes }: Step,
  at: number,
  pinned = true,
): CycleRecord => {
  const name = `phenix.${program}`;
  const attempt = join(folder, attemptFolder(cycleFolder(at, name), 1));
  const ending = {
    ...anAttempt().ending!,
    durationMs: 14_000 * at,
    ...(fails && { exitCode: 1, message: 'ended with exit code 1' }),
  };
  const fit = metrics['r_free'] === undefined ? {} : { fit: fitOf(metrics['r_free'], metrics['r_work'], at) };
  return aCycle({
    cycle: at,
    decision: aDecision({
      program: name,
      step,
      reasoning: why,
      argv: [
        name,
        '/data/4hg7.pdb',
        "/data/it's data.mtz",
        'refinement.main.number_of_macro_cycles=3',
        'output.prefix=refine',
      ],
      notOffered: [
        { program: 'phenix.phaser', why: 'the model is placed' },
        { program: 'phenix.autobuild', why: `it needs a sequence, and none was given ${hostile}` },
      ],
    }),
    attempts: [anAttempt({ startedAt: minutesAgo(60 - at), ending })],
    result: {
      ...aResult({
        outcome: fails === true ? 'failed' : 'success',
        summary: says,
        metrics,
        errorLines: fails === true ? ['Sorry: the space group of the model differs'] : [],
        outputs:
          makes === undefined
            ? []
            : [
                aFile({
                  path: join(attempt, makes),
                  size: 412_345,
                  cycle: at,
                  program: name,
                  ...(pinned && { pin: pinOf(at) }),
                  facts: { format: 'pdb' },
                }),
              ],
      }),
      ...fit,
    },
  });
};

const fitOf = (value: number, rWork: number | undefined, at: number): SessionFit => ({
  metric: 'r_free',
  value,
  resolution: 1.6,
  ...(rWork !== undefined && { rWork }),
  quality: value < 0.25 ? 'acceptable' : 'needs improvement',
  ...(at > 2 && { trend: 'better' }),
});

/** Fits of cycles that measured none are those of the cycle before. */
const carried = (cycles: readonly CycleRecord[]): readonly CycleRecord[] => {
  let last: SessionFit | undefined;
  return cycles.map((cycle) => {
    last = cycle.result?.fit ?? last;
    return cycle.result === undefined || last === undefined
      ? cycle
      : { ...cycle, result: { ...cycle.result, fit: last } };
  });
};

/** Sessions as facilities have them, in a store and in a work folder. */
export class ShownSessions {
  constructor(
    private readonly records: SessionRecords,
    private readonly work: string,
  ) {}

  private async create(
    more: Omit<Partial<NewSession>, 'id' | 'folder'> & { readonly folder: string; readonly id: string },
  ): Promise<string> {
    mkdirSync(more.folder, { recursive: true });
    await this.records.create(aNewSession(more), [anEvent({ cycle: 0, message: 'submitted' })], 3_600_000);
    return more.id;
  }

  private location(): { readonly id: string; readonly folder: string } {
    const id = anId();
    return { id, folder: join(this.work, 'mx1234', id) };
  }

  private request(title: string, more: Parameters<typeof aRequest>[0] = {}): NewSession['request'] {
    const inputs = [aFile({ path: '/data/4hg7.mtz', facts: { format: 'mtz' } })];
    return aRequest({
      title,
      proposal: 'mx1234',
      beamline: 'i04',
      submitter: 'ada',
      inputs,
      settings: someSettings(),
      ...more,
    });
  }

  /** Seven cycles, solved. Its files are not those that were pinned: a fork needs them without pins. */
  async solved(title = 'MDM2 with nutlin-3a', { pinned = true } = {}): Promise<string> {
    const location = this.location();
    const cycles = carried(steps.map((step, at) => cycleOf(location.folder, step, at + 1, pinned)));
    const file = cycles[4]?.result?.outputs[0]?.path ?? '';
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'ATOM\n');
    const stop = {
      reason: 'converged',
      detail: 'R-free 0.2301 has reached the target 0.250, and the model was validated.',
      afterCycle: 7,
    } as const;
    const text = `refine twice, then stop ${hostile}`;
    const guidance = aGuidance({ sources: [{ from: 'text', text }], reading: { ...aGuidance().reading, text } });
    const resume = { status: 'completed', stage: 'deciding', cycle: 7, attempt: 1, cycles, stop } as const;
    return this.create({ ...location, request: this.request(title), createdAt: minutesAgo(58), guidance, resume });
  }

  /** It is refined again and again. */
  async long(title: string, count: number): Promise<string> {
    const location = this.location();
    const walked = Array.from({ length: count }, (_, at) => cycleOf(location.folder, steps[at === 0 ? 0 : 4]!, at + 1));
    const resume = {
      status: 'running',
      stage: 'deciding',
      cycle: count + 1,
      attempt: 1,
      cycles: carried(walked),
    } as const;
    return this.create({ ...location, request: this.request(title), createdAt: minutesAgo(90), resume });
  }

  /** Ended by another reason after some of those cycles. */
  async ended(title: string, reason: StopReason, after = 3): Promise<string> {
    const location = this.location();
    const walked = steps
      .slice(0, after)
      .map((step, at) =>
        cycleOf(
          location.folder,
          at === after - 1
            ? { ...step, fails: true, says: 'phenix.refine failed: the space group of the model differs' }
            : step,
          at + 1,
        ),
      );
    const status =
      { unsatisfactory: 'unsatisfactory', cancelled: 'cancelled', nothing_left: 'completed' }[reason as string] ??
      'failed';
    const stop = {
      reason,
      detail:
        'phenix.refine failed, and no other way is left: the space group of the model (P 21 21 21) differs from that of the data (P 2 21 21).',
      afterCycle: after,
    };
    const resume = {
      status: status as 'failed',
      stage: 'deciding',
      cycle: Math.max(1, after),
      attempt: 1,
      cycles: carried(walked),
      stop,
    } as const;
    return this.create({
      ...location,
      request: this.request(title, { submitter: 'bob', beamline: 'i24' }),
      createdAt: minutesAgo(125),
      resume,
    });
  }

  /** A program runs, and writes this log. */
  async running(title: string, log: string): Promise<{ readonly id: string; readonly log: string }> {
    const location = this.location();
    const done = steps.slice(0, 4).map((step, at) => cycleOf(location.folder, step, at + 1));
    const { attempt, backend, provider, programVersion } = anAttempt();
    const launched = { attempt, backend, provider, programVersion, startedAt: minutesAgo(2) };
    const { decision } = cycleOf(location.folder, steps[4]!, 5);
    const cycles = [...carried(done), { cycle: 5, decision, attempts: [launched] }];
    const path = join(location.folder, attemptFolder(cycleFolder(5, 'phenix.refine'), 1), attemptFiles.log);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, log);
    const resume = { status: 'running', stage: 'executing', cycle: 5, attempt: 1, cycles } as const;
    return {
      id: await this.create({ ...location, request: this.request(title), createdAt: minutesAgo(9), resume }),
      log: path,
    };
  }

  /** Its second program is queued. */
  async waiting(title: string): Promise<string> {
    const location = this.location();
    const first = cycleOf(location.folder, steps[0]!, 1);
    const { decision } = cycleOf(location.folder, steps[2]!, 2);
    const waiting = {
      attempt: 1,
      backend: 'local',
      provider: 'open-phenix',
      programVersion: 'Servalcat 0.4.142',
      since: minutesAgo(4),
      queuedOnBackend: false,
      reason: 'all 2 places for programs are taken',
      reportedAt: minutesAgo(4),
    } as const;
    const cycles = [first, { cycle: 2, decision, attempts: [], waiting }];
    const resume = { status: 'running', stage: 'executing', cycle: 2, attempt: 1, cycles } as const;
    return this.create({
      ...location,
      request: this.request(title, { proposal: 'mx77' }),
      createdAt: minutesAgo(14),
      resume,
    });
  }

  /** Just submitted. */
  fresh(title: string, proposal = 'mx1234'): Promise<string> {
    return this.create({
      ...this.location(),
      request: this.request(title, { proposal }),
      createdAt: new Date().toISOString(),
    });
  }

  /** A cycle was a scripted stand-in. */
  async simulated(title: string): Promise<string> {
    const location = this.location();
    const cycle = cycleOf(location.folder, { ...steps[0]!, program: 'predict_and_build' }, 1);
    const attempts = [anAttempt({ provider: 'simulated' })];
    const resume = {
      status: 'running',
      stage: 'deciding',
      cycle: 2,
      attempt: 1,
      cycles: [{ ...cycle, attempts }],
    } as const;
    return this.create({ ...location, request: this.request(title), createdAt: minutesAgo(30), resume });
  }
}
