import { anyObject, choice, record, text, type Described } from '../schema/schema';
import { count, time } from '../schema/schema-fields';

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

/** Events of the service itself: the life cycle of a session and of its programs. */
const lifecycleEventLevels = {
  session_submitted: 'quiet',
  session_forked: 'quiet',
  advice_read: 'quiet',
  session_prioritised: 'normal',
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
const eventTypes = Object.keys(eventLevels) as readonly EventType[];
export type Verbosity = 'quiet' | 'normal' | 'verbose';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

const eventMembers = {
  type: choice(eventTypes),
  cycle: count('cycle number; 0: the session itself'),
  at: time(),
  message: text('message for users, in one sentence'),
  data: anyObject<Readonly<Record<string, JsonValue>>>('machine-readable details'),
} as const;

/** One line of a session's append-only event stream. */
export const sessionEventSchema = record(eventMembers);
export type SessionEvent = Described<typeof sessionEventSchema>;

export const storedEventSchema = record(
  'Event',
  {
    ...eventMembers,
    id: text('cursor of the event (`1732-0`); pass it as Last-Event-ID or ?after='),
  },
  {},
  'an event with its cursor',
);
export type StoredEvent = Described<typeof storedEventSchema>;

/** Ids of the store: two 64-bit integers; 19 digits always fit. */
export const eventIdForm = {
  pattern: '^\\d{1,19}(-\\d{1,19})?$',
  'x-allowed': 'the id of an event, or 0 for all',
} as const;
