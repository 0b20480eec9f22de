import { relative, sep } from 'node:path';
import { cycleFolder, type CycleRecord, type Session, type SessionFile } from '@fleet/contracts';

/** A session as the API shows it: the record itself, what follows from it, and where to go on. */
export interface SessionView extends Session {
  /** True when any program of it was a scripted stand-in. */
  readonly simulated: boolean;
  readonly links: SessionLinks;
}

export interface SessionLinks {
  readonly self: string;
  readonly status: string;
  readonly events: string;
  readonly results: string;
  readonly summary: string;
}

export const sessionPath = (id: string): string => `/v1/sessions/${id}`;

const linksOf = (id: string): SessionLinks => {
  const self = sessionPath(id);
  return {
    self,
    status: `${self}/status`,
    events: `${self}/events`,
    results: `${self}/results`,
    summary: `${self}/summary`,
  };
};

export const isSimulated = (cycles: readonly CycleRecord[]): boolean =>
  cycles.some((cycle) => cycle.attempts.some((attempt) => attempt.provider === 'simulated'));

export const toSessionView = (session: Session): SessionView => ({
  ...session,
  simulated: isSimulated(session.cycles),
  links: linksOf(session.id),
});

/** A file that a cycle made, with the address it can be fetched from. */
export interface OutputFile {
  readonly cycle: number;
  readonly program: string;
  /** Relative to the attempt's folder; unique inside its cycle. */
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly format: SessionFile['facts']['format'];
  readonly href: string;
}

/** Name of an output inside its attempt's folder: `c003-refine/a1/model.pdb` is `model.pdb`. */
const nameInAttempt = (session: Session, record: CycleRecord, path: string): string => {
  const folder = `${session.folder}${sep}${cycleFolder(record.cycle, record.decision.program)}`;
  return relative(folder, path).split(sep).slice(1).join('/');
};

const outputsOf = (session: Session, record: CycleRecord): readonly OutputFile[] =>
  (record.result?.outputs ?? []).map((file) => {
    const name = nameInAttempt(session, record, file.path);
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    return {
      cycle: record.cycle,
      program: record.decision.program,
      name,
      path: file.path,
      size: file.size,
      format: file.facts.format,
      href: `${sessionPath(session.id)}/files/${String(record.cycle)}/${encoded}`,
    };
  });

/** Everything the session's programs made, oldest first. */
export const outputFiles = (session: Session): readonly OutputFile[] =>
  session.cycles.flatMap((record) => outputsOf(session, record));
