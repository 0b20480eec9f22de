import type { FieldProblem } from '@fleet/contracts/faults';
import type { SessionDirectives } from '@fleet/contracts/guidance';
import { turnFailureCodes, type TurnFailureCode } from '@fleet/contracts/models';
import {
  eventLevels,
  statusOfStopReason,
  type DecisionRecord,
  experimentTypes,
  type FileUse,
  type JsonValue,
  type SessionEvent,
  type StopReason,
} from '@fleet/contracts/sessions';
import type { Schema } from '../request/field-readers';
import { apiVersion } from '../request/read-request';

/**
 * Why a session stops (phenix-agent.md#stop-reasons-of-a-response): `converged` only for reached quality, `red_flag` for critical problems,
 * `max_cycles`, and `error`. Other ends have their own words; `metadata.stop_code` is more specific.
 */
const apiStopReasons = [
  'converged',
  'goal_reached',
  'plateau',
  'refinement_limit',
  'nothing_left',
  'unsatisfactory',
  'hopeless',
  'red_flag',
  'max_cycles',
  'error',
] as const;
export type ApiStopReason = (typeof apiStopReasons)[number];

declare const described: unique symbol;
/** A JSON Schema of values of type T. */
type SchemaOf<T> = Schema & { readonly [described]?: T };
type Described<S> = S extends SchemaOf<infer T> ? T : never;

const of = <T>(schema: Schema): SchemaOf<T> => schema;
const text = (description: string): SchemaOf<string> => ({ type: 'string', description });
const textOrNull = (description: string): SchemaOf<string | null> => ({ type: ['string', 'null'], description });
const texts = (description: string): SchemaOf<readonly string[]> => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const list = <T>(items: SchemaOf<T>): SchemaOf<readonly T[]> => ({ type: 'array', items });
const choice = <const T extends string>(values: readonly T[]): SchemaOf<T> => ({ type: 'string', enum: values });
const choiceOrNull = <const T extends string>(values: readonly T[], more: Schema = {}): SchemaOf<T | null> => ({
  enum: [...values, null],
  ...more,
});

/** An object in which all members are required, and no others are allowed. */
const closed = <R extends Readonly<Record<string, SchemaOf<unknown>>>>(
  properties: R,
): SchemaOf<{ readonly [K in keyof R]: Described<R[K]> }> => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const decision = closed({
  program: text("PHENIX's own name, or STOP"),
  command: text('the command as a shell would accept it; STOP to stop'),
  argv: texts('the command in parts; empty to stop'),
  reasoning: text('reasons in sentences'),
  strategy: of<DecisionRecord['strategy']>({
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'strategy keys that are in the command',
  }),
  confidence: choice(['high', 'medium', 'low', 'unknown']),
});
export type ApiDecision = Described<typeof decision>;

const notOffered = closed({ program: text('its name'), why: text('one sentence') });

const words = list(closed({ words: text('as written'), why: text('one clause') }));

const advice = closed({
  followed: of<boolean>({ type: 'boolean', description: 'false: the directives of the request apply instead' }),
  understood: list(
    closed({
      field: text('the directive, for example stop_conditions.after_program'),
      words: text('the text that it comes from'),
      says: text('effect, in one sentence'),
    }),
  ),
  conflicts: texts('contradictions and how they are resolved'),
  not_followed: words,
  removed: words,
});

const planning = {
  ...closed({
    decided_by: choice(['rules', 'model']),
    provider: text('as in the request'),
    target: textOrNull('target of the model that chose, as named by the site'),
    model: textOrNull('which model chose'),
    requests: of<number>({
      type: 'integer',
      minimum: 0,
      description: 'number of model requests for this decision',
    }),
    failed: choiceOrNull<TurnFailureCode>(turnFailureCodes, { description: 'why no model gave a usable answer' }),
    why: textOrNull('the reason in one sentence, or why no model was called'),
  }),
  description: 'who decided',
};
export type ApiPlanning = Described<typeof planning>;

const fileUse: SchemaOf<FileUse> = {
  type: 'object',
  properties: {
    path: text('as in the request'),
    used: { type: 'boolean', description: 'false: no program uses it' },
    text: text('purpose and programs that use it, or why it is not used'),
    notes: texts('remark; absent: none'),
  },
  required: ['path', 'used', 'text'],
  additionalProperties: false,
};

const metadata = closed({
  experiment_type: choiceOrNull(experimentTypes),
  workflow_state: textOrNull('for example xray_refined'),
  directives: of<SessionDirectives>({
    type: 'object',
    description: 'directives that the decision followed',
  }),
  advice: of<Described<typeof advice> | null>({
    anyOf: [advice, { type: 'null' }],
    description: 'interpretation of `user_advice`; null if it is empty',
  }),
  stop_code: choiceOrNull(Object.keys(statusOfStopReason) as StopReason[], { description: 'detail of stop_reason' }),
  planning,
  valid_programs: texts('candidate programs in order of preference; only STOP if there is none'),
  not_offered: list(notOffered),
  files: { ...list(fileUse), description: 'use of each file that is not an output of the history' },
  warnings: texts('warnings, and unusable input'),
  red_flags: texts('critical problems as `code: message suggestion`'),
});

const event = of<SessionEvent>(
  closed({
    type: { type: 'string', enum: Object.keys(eventLevels) },
    cycle: { type: 'integer' },
    at: text('ISO 8601'),
    message: text('one sentence'),
    data: { type: 'object' },
  }),
);

const problem: SchemaOf<FieldProblem> = {
  type: 'object',
  properties: {
    field: text('path of the field'),
    reason: text('description of the problem'),
    allowed: text('accepted values'),
  },
  required: ['field', 'reason'],
  additionalProperties: false,
};

/** JSON Schema (draft 2020-12) of the response to a v2 request. */
export const decideResponseSchema = {
  ...closed({
    api_version: of<typeof apiVersion>({ const: apiVersion }),
    server_version: text('version of the service'),
    decision,
    stop: of<boolean>({ type: 'boolean' }),
    stop_reason: choiceOrNull(apiStopReasons, {
      description: 'converged: the target quality is reached; red_flag: there is a critical problem',
    }),
    abort_message: textOrNull('the critical problem that ended the session, as clients show it'),
    metadata,
    debug: closed({
      log: texts('steps of the decision'),
      timing_ms: of<number>({ type: 'number', minimum: 0 }),
    }),
    events: list(event),
    events_as_simple_string: text('the events as one JSON text'),
    error: textOrNull('error of the request; null: none'),
    problems: { ...list(problem), description: 'errors field by field' },
  }),
  title: 'DecideResponse',
};
/** The response to a v2 request (phenix-agent.md#requests-and-responses). */
export type DecideResponse = Described<typeof decideResponseSchema>;

/** The response as a JSON document. */
export const asDocument = (response: DecideResponse): JsonValue => response as unknown as JsonValue;
