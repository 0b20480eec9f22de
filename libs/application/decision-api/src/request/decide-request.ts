import type { ExperimentType, JsonValue } from '@fleet/contracts/sessions';

/** The only version of this API. */
export const apiVersion = '2.0';

type Scalars = Readonly<Record<string, number | string | boolean>>;
type JsonObject = Readonly<Record<string, JsonValue>>;

/** One cycle of the client's session. Some clients send `cycle_number` and `metrics` for `cycle` and `analysis`. */
export interface HistoryEntry {
  readonly cycle: number | null;
  readonly cycle_number: number | null;
  readonly program: string;
  readonly command: string;
  /** For example `SUCCESS: …` or `FAILED: …`. */
  readonly result: string;
  readonly output_files: readonly string[];
  readonly analysis: Scalars;
  readonly metrics: Scalars;
}

/** A client's correction after an error with one of its files. */
export interface RecoveryStrategy {
  /** Parameters by PHIL name. */
  readonly flags: Scalars;
  /** Programs that get them; empty: every program that has them. */
  readonly program_scope: readonly string[];
  readonly reason: string;
  /** The main label of the chosen array, and all its labels. */
  readonly selected_label: string | null;
  readonly selected_label_pair: string | null;
}

/** The state that the client keeps between its requests; the service keeps none. */
export interface SessionState {
  /** Å. */
  readonly resolution: number | null;
  /** Locked: the experiment type of a session never changes. */
  readonly experiment_type: ExperimentType | null;
  /** Path of the reflection file whose R-free flags every refinement must use. */
  readonly rfree_mtz: string | null;
  /** By category, the best first. */
  readonly best_files: Readonly<Record<string, readonly string[]>>;
  /** Program that wrote `log_content`; otherwise the last of the history. */
  readonly log_program: string | null;
  /** The user gave new advice: stop conditions are skipped once. */
  readonly advice_changed: boolean;
  /** Whether reflection files contain R-free flags, by path or name. */
  readonly mtz_rfree_map: Readonly<Record<string, boolean>>;
  readonly input_mtz_has_rfree: boolean | null;
  readonly directives: JsonObject;
  /** Program to be repeated once after a recoverable error. */
  readonly force_retry_program: string | null;
  /** By path of the file that caused the error. */
  readonly recovery_strategies: Readonly<Record<string, RecoveryStrategy>>;
  readonly session_blocked_programs: readonly string[];
  /** Parameters that a program refused, by program. */
  readonly bad_inject_params: Readonly<Record<string, readonly string[]>>;
}

export interface DecideSettings {
  readonly provider: string;
  readonly abort_on_red_flags: boolean;
  readonly abort_on_warnings: boolean;
  readonly max_cycles: number;
  readonly use_rules_only: boolean;
  /** false: predictions are processed and placed step by step. */
  readonly maximum_automation: boolean;
}

/** A v2 request with all defaults (phenix-agent.md#requests-and-responses). */
export interface DecideRequest {
  readonly api_version: typeof apiVersion;
  readonly client_version: string | null;
  /** Paths on the client's machine, used only as names. */
  readonly files: readonly string[];
  readonly cycle_number: number;
  readonly log_content: string;
  readonly history: readonly HistoryEntry[];
  readonly session_state: SessionState;
  readonly user_advice: string;
  readonly settings: DecideSettings;
}
