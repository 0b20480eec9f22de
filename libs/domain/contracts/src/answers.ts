import type { Metric } from './cycle';
import type { StoredEvent } from './events';
import type { SessionFile } from './file-facts';
import type { FieldProblem } from './fault';
import type { BackendName, ProgramProvider } from './programs';
import type { Session, SessionStatus, SessionStop } from './session';
import type { SessionSettings, SettingDefinition } from './settings';

/**
 * What the gateway answers with, where that is not a word of its own already (`SessionHead`) or of a port (`SessionPage`). The gateway, its
 * OpenAPI description and `phx` all use these.
 */

/** Addresses of what belongs to a session. */
export interface SessionLinks {
  readonly self: string;
  readonly status: string;
  readonly events: string;
  readonly results: string;
  readonly summary: string;
}

/** A session: the record itself, what follows from it, and where to go on. */
export interface SessionView extends Session {
  /** True when any program of it was a scripted stand-in. */
  readonly simulated: boolean;
  readonly links: SessionLinks;
}

/** A part of a session's events. */
export interface EventsView {
  readonly events: readonly StoredEvent[];
  /** Where the next part begins: the id of the last event, or the one that was asked for. */
  readonly next: string;
}

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

/** The best file for a purpose. */
export interface BestFileView {
  readonly category: string;
  readonly stage: string;
  readonly score: number;
  readonly path: string;
  /** 0: submitted. */
  readonly cycle: number;
  /** Absent for a submitted file: the submitter has it. */
  readonly href?: string;
}

/** The last value of a metric, and where it comes from. */
export interface ResultMetric extends Pick<Metric, 'name' | 'value' | 'unit'> {
  readonly cycle: number;
  readonly program: string;
}

/** What a session has brought so far, or in the end. */
export interface ResultsView {
  readonly id: string;
  readonly status: SessionStatus;
  readonly stop?: SessionStop;
  readonly simulated: boolean;
  readonly folder: string;
  readonly bestFiles: readonly BestFileView[];
  readonly metrics: readonly ResultMetric[];
  readonly files: readonly OutputFile[];
  /** Address of the session in words. */
  readonly summary: string;
}

/** A program that the agent knows or the backend has. */
export interface ProgramView {
  readonly program: string;
  readonly installed: boolean;
  readonly provider?: ProgramProvider;
  readonly version?: string;
}

export interface ProgramsView {
  readonly backend: BackendName;
  /** Absent while no executor has published its programs. */
  readonly probedAt?: string;
  readonly programs: readonly ProgramView[];
}

/** What a submission may set. */
export interface SettingsView {
  readonly settings: Readonly<Record<keyof SessionSettings, SettingDefinition>>;
}

/** One thing that is wrong, with a code that programs can compare. */
export interface ApiProblem extends FieldProblem {
  /** One of the gateway's codes of problems, or the code of another library's fault. */
  readonly code?: string;
}

/** An error as RFC 9457 prints it, with this API's `code`, `problems` and `errorId`. */
export interface ProblemDetails {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  /** Everything that is wrong, at once. */
  readonly problems?: readonly ApiProblem[];
  /** Present on errors of the service itself: the same id stands in the gateway's log. */
  readonly errorId?: string;
}
