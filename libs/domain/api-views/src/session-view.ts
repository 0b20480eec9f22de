import { relative, sep } from 'node:path';
import { cycleFolder } from '@fleet/contracts/runs';
import type {
  CycleRecord,
  OutputFile,
  Session,
  SessionFile,
  SessionLinks,
  SessionView,
} from '@fleet/contracts/sessions';
import { explainedOutcome, isSimulated } from '@fleet/session-report';

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

export const toSessionView = (session: Session): SessionView => {
  const outcome = explainedOutcome(session);
  return {
    ...session,
    simulated: session.cycles.some(isSimulated),
    ...(outcome !== undefined && { outcome }),
    links: linksOf(session.id),
  };
};

/** Name of an output inside its attempt's folder: `c003-refine/a1/model.pdb` is `model.pdb`. */
const nameInAttempt = (session: Session, record: CycleRecord, path: string): string => {
  const folder = `${session.folder}${sep}${cycleFolder(record.cycle, record.decision.program)}`;
  return relative(folder, path).split(sep).slice(1).join('/');
};

const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const outputsOf = (session: Session, record: CycleRecord): readonly OutputFile[] =>
  (record.result?.outputs ?? []).map((file) => {
    const name = nameInAttempt(session, record, file.path);
    return {
      cycle: record.cycle,
      program: record.decision.program,
      name,
      path: file.path,
      size: file.size,
      format: file.facts.format,
      href: `${sessionPath(session.id)}/files/${String(record.cycle)}/${encodedPath(name)}`,
    };
  });

/**
 * Whether a program has read a file successfully: then the proposal's account may read it. The gateway's own permissions prove nothing,
 * because it may read more.
 */
const hasServed = ({ cycles }: Session, path: string): boolean =>
  cycles.some(
    ({ decision, result }) => result?.outcome === 'success' && decision.inputs.some((input) => input.path === path),
  );

/** Submitted files that may be downloaded: those with a recorded pin that a program of the session has read successfully. */
export const servedInputs = (session: Session): readonly SessionFile[] =>
  session.request.inputs.filter(({ path, pin }) => pin !== undefined && hasServed(session, path));

/** URL of a submitted file; undefined if it may not be downloaded. */
export const inputHref = (session: Session, { path }: SessionFile): string | undefined =>
  servedInputs(session).some((input) => input.path === path)
    ? `${sessionPath(session.id)}/files/0${encodedPath(path)}`
    : undefined;

/** All outputs of the session's programs, oldest first. */
export const outputFiles = (session: Session): readonly OutputFile[] =>
  session.cycles.flatMap((record) => outputsOf(session, record));
