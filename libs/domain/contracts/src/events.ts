/** The decision events of the PHENIX AI Agent (phenix-agent.md#events) and the verbosity from which each is shown. */
export const decisionEventLevels = {
  cycle_start: 'quiet',
  cycle_complete: 'quiet',
  state_detected: 'normal',
  metrics_extracted: 'normal',
  metrics_trend: 'normal',
  sanity_check: 'normal',
  program_selected: 'normal',
  program_modified: 'normal',
  stop_decision: 'normal',
  directive_applied: 'normal',
  user_request_invalid: 'quiet',
  files_selected: 'verbose',
  file_scored: 'verbose',
  command_built: 'normal',
  thought: 'verbose',
  error: 'quiet',
  warning: 'quiet',
  debug: 'verbose',
} as const;

/** What the service itself adds: the life of a session and of its programs. */
export const lifecycleEventLevels = {
  session_submitted: 'quiet',
  session_recovered: 'quiet',
  session_cancelling: 'quiet',
  session_resumed: 'quiet',
  cycles_removed: 'quiet',
  session_ended: 'quiet',
  attempt_waiting: 'normal',
  attempt_started: 'normal',
  attempt_ended: 'normal',
} as const;

export const eventLevels = { ...decisionEventLevels, ...lifecycleEventLevels } as const;
export type EventType = keyof typeof eventLevels;
export type Verbosity = 'quiet' | 'normal' | 'verbose';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** One line of a session's append-only event stream. */
export interface SessionEvent {
  readonly type: EventType;
  readonly cycle: number;
  /** ISO 8601. */
  readonly at: string;
  /** One sentence for people. */
  readonly message: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** An event with its place in the stream, as Redis numbers it (`1732180000000-0`). */
export interface StoredEvent extends SessionEvent {
  readonly id: string;
}
