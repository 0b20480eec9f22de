import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import { attemptFiles, type RunSpec } from '@fleet/contracts/runs';
import { isEnded, type Session, type StoredEvent } from '@fleet/contracts/sessions';
import { buildDecisionGraph, type DecisionGraph, type DecisionOutcome } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import type { ExecutionBackend } from '@fleet/ports';
import { SessionFolder } from '@fleet/session-folder';
import {
  aCatalogue,
  anEnding,
  ManualClock,
  MemoryLaunchControl,
  MemoryRunSlots,
  MemorySharesControl,
  MemoryStore,
  ScriptedBackend,
} from '@fleet/testing';
import { MemoryQueues } from './memory-queues';

const isTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What a fleet decides with; a decision that was made once is known. */
export class Installed {
  /** Below it each world has its folders. In memory where that is available: all is written to the disk before it counts. */
  readonly root = realpathSync(
    mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'fleet-crash-points-')),
  );
  private readonly graph: DecisionGraph;
  private readonly decided = new Map<string, string>();

  constructor(readonly ruleBook: RuleBook) {
    this.graph = buildDecisionGraph({ ruleBook });
  }

  async decide(asked: DecisionInput, root: string): Promise<DecisionOutcome> {
    const { request, cycles, guidance, cycle } = asked.session;
    const ran = cycles.map(({ decision, result }) => [decision.program, result?.outcome]);
    const { settings, inputs, forkedFrom } = request;
    const key = JSON.stringify({ cycle, ran, settings, inputs: inputs.length, forkedFrom, reading: guidance?.reading });
    const known = this.decided.get(key) ?? plain(JSON.stringify(await this.graph.decide(asked)), root);
    this.decided.set(key, known);
    return JSON.parse(known.replaceAll('ROOT', root)) as DecisionOutcome;
  }

  dispose(): void {
    rmSync(this.root, { recursive: true });
  }
}

type DecisionInput = Parameters<DecisionGraph['decide']>[0];

/** Without what differs from one run to the next: times, folders, and what the disk numbers. */
const plain = (text: string, root: string): string =>
  text
    .replaceAll(isTime, '2026-11-21T08:00:00.000Z')
    .replaceAll(root, 'ROOT')
    .replaceAll(/"(?<name>inode|modified)":"\d+"/g, '"$<name>":"0"');

/** A fault that is built into the world, to see that it is found. */
export interface Planted {
  /** What executors launch programs with. */
  readonly backend?: (backend: ScriptedBackend) => ExecutionBackend;
  readonly store?: (store: MemoryStore) => MemoryStore;
}

const atom = 'ATOM      1  CA  ALA A   1      10.000  10.000  10.000  1.00 20.00           C\n';
/** A record that was written beside its place and never got its name: it is of a process that died in between. */
const isUnnamed = /^\.session\.json\./;

/** All that outlives a process: the store, the queues, the folders, the programs that run, and the time. */
export class World {
  readonly clock = new ManualClock();
  readonly store: MemoryStore;
  readonly slots = new MemoryRunSlots(this.clock);
  readonly control = new MemoryLaunchControl(this.clock);
  readonly shares = new MemorySharesControl(this.clock);
  readonly queues = new MemoryQueues();
  readonly programs = new ScriptedBackend();
  readonly backend: ExecutionBackend;
  readonly root: string;
  readonly data: string;
  readonly work: string;
  readonly folder: SessionFolder;
  /** Whether the end of a program is seen at once, or by the sweeper. */
  endsAreSeen = false;
  hasBatches = false;
  /** Programs of all executors; 0: as many as there are. */
  mostRunning = 0;
  /** Whether programs come to their end. */
  programsEnd = true;
  /** So many programs are lost with their machine before one ends well. */
  losses = 0;
  private readonly ended = new Set<string>();
  private readonly meanwhile = new Map<string, () => Promise<void>>();

  constructor(
    readonly installed: Installed,
    { backend = (programs) => programs, store = (made) => made }: Planted = {},
  ) {
    this.root = mkdtempSync(join(installed.root, 'world-'));
    this.data = join(this.root, 'data');
    this.work = join(this.root, 'work');
    this.folder = new SessionFolder(this.work, { dataRoots: [sharedRoot(this.data)] });
    this.store = store(new MemoryStore(this.clock));
    this.backend = backend(this.programs);
    this.programs.programs = aCatalogue().programs;
    mkdirSync(this.data);
    mkdirSync(this.work);
  }

  async decide(asked: DecisionInput): Promise<DecisionOutcome> {
    await this.middleOf('decide');
    return this.installed.decide(asked, this.root);
  }

  /** Writes a file of a submitter; gives its path. */
  file(name: string, content: string): string {
    const path = join(this.data, name);
    writeFileSync(path, content);
    return path;
  }

  /**
   * The first program that its session knows to run ends, with what it leaves. Returns whether there was one.
   */
  async endProgram(): Promise<boolean> {
    if (!this.programsEnd) return false;
    for (const spec of this.programs.started) {
      if (this.ended.has(spec.name) || !(await this.isKnownToRun(spec))) continue;
      this.ended.add(spec.name);
      const isLost = this.losses > 0;
      if (isLost) this.losses -= 1;
      else leave(spec);
      this.programs.end(spec.name, isLost ? lost : undefined, this.endsAreSeen);
      return true;
    }
    return false;
  }

  private async isKnownToRun({ name, owner }: RunSpec): Promise<boolean> {
    const session = await this.store.records.load(owner.sessionId);
    const record = session?.cycles.find(({ cycle }) => cycle === owner.cycle);
    const known = record?.attempts.find(({ attempt }) => attempt === owner.attempt);
    return session?.status === 'running' && known !== undefined && !this.programs.cancelled.includes(name);
  }

  /** Somebody else does this in the middle of the next step of that kind, once. */
  inTheMiddleOf(job: 'decide' | 'analyse', act: () => Promise<void>): void {
    this.meanwhile.set(job, act);
  }

  async middleOf(job: 'decide' | 'analyse'): Promise<void> {
    const act = this.meanwhile.get(job);
    this.meanwhile.delete(job);
    await act?.();
  }

  /** Whether nothing is left to do, so that nobody need look whether there is. */
  async isAtRest(): Promise<boolean> {
    if (this.queues.left > 0) return false;
    const { sessions } = await this.store.index.list({}, 100);
    const { batches } = await this.store.batches.list({}, 100);
    const isOver = sessions.length > 0 && sessions.every(({ status }) => isEnded(status));
    return isOver && batches.every(({ states }) => states.waiting === 0);
  }

  /** Whether every session is on the disk as it is. */
  async isWritten(): Promise<boolean> {
    for (const { folder, version } of await this.sessions()) {
      const path = join(folder, 'session.json');
      if (!existsSync(path) || (await this.folder.readSession(folder)).session.version !== version) return false;
    }
    return true;
  }

  async sessions(): Promise<readonly Session[]> {
    const { sessions } = await this.store.index.list({}, 100);
    const loaded = await Promise.all(sessions.map(({ id }) => this.store.records.load(id)));
    return loaded.flatMap((session) => session ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** All that there is in the end, in lines, without what differs from one run to the next: times, and how often somebody was woken. */
  async outcome(): Promise<readonly string[]> {
    const sessions = await this.sessions();
    const histories = await Promise.all(sessions.map((session) => this.historyOf(session)));
    const launched = this.programs.started.map(({ name }) => `launched ${name}`).sort();
    const cancelled = [...new Set(this.programs.cancelled)].map((name) => `cancelled ${name}`).sort();
    const held = (await this.slots.members()).map((name) => `${name} holds a place`);
    const lines = [
      ...histories.flat(),
      ...(await this.batchesTold()),
      ...launched,
      ...cancelled,
      ...held,
      `${this.queues.left} jobs are left`,
    ];
    return lines.map((line) => plain(line, this.root));
  }

  private async batchesTold(): Promise<readonly string[]> {
    const { batches } = await this.store.batches.list({}, 100);
    const rows = await Promise.all(
      batches.map(async ({ batch: { id } }) => [
        `batch ${JSON.stringify({ ...(await this.store.batches.load(id)), changedAt: 0 })}`,
        // Which of two rows that are the same is the earlier one follows from the order in which they were started.
        ...(await this.store.batches.rows(id, 0, 100)).map(
          (row) => `row ${JSON.stringify({ ...row, earlier: undefined })}`,
        ),
      ]),
    );
    return rows.flat();
  }

  private async historyOf(session: Session): Promise<readonly string[]> {
    const { id, folder } = session;
    const events = await this.store.events.after(id, '0', 1000);
    const transitions = await this.store.events.transitions(id);
    const files = readdirSync(folder).filter((name) => !isUnnamed.test(name));
    const read = await this.folder.readSession(folder);
    return [
      ...partsOf(session).map((part) => `${id} record ${part}`),
      ...partsOf(read.session).map((part) => `${id} session.json ${part}`),
      ...transitions.map((line) => `${id} move ${line}`),
      ...events.map((event) => `${id} event ${wordsOfEvent(event)}`),
      ...files.sort().map((name) => `${id} file ${name}`),
    ];
  }
}

const partsOf = (session: Session): readonly string[] =>
  Object.entries(session)
    .filter(([name]) => name !== 'wakeUps')
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`);

const wordsOfEvent = ({ type, cycle, message, data }: StoredEvent): string =>
  `${type} ${cycle} ${message} ${JSON.stringify(data)}`;

const lost = anEnding({ kind: 'lost', infrastructure: true, message: 'it was lost with its machine.' });

/** A program leaves its log and its files. */
const leave = ({ program, owner, sessionFolder, attemptFolder }: RunSpec): void => {
  const folder = join(sessionFolder, attemptFolder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, attemptFiles.log), 'Final R-work = 0.2010, R-free = 0.2440\n');
  if (program === 'phenix.refine') writeFileSync(join(folder, `refine_${owner.cycle}_001.pdb`), atom);
};
