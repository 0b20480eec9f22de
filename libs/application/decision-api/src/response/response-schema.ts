import { turnFailureCodes } from '@fleet/contracts/models';
import { eventLevels, statusOfStopReason } from '@fleet/contracts/sessions';
import { apiVersion } from '../request/decide-request';
import type { Schema } from '../request/field-readers';
import { apiStopReasons } from './decide-response';

const text = (description: string): Schema => ({ type: 'string', description });
const textOrNull = (description: string): Schema => ({ type: ['string', 'null'], description });
const texts = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });

/** An object in which all members are required, and no others are allowed. */
const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
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
  strategy: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'strategy keys that are in the command',
  },
  confidence: { type: 'string', enum: ['high', 'medium', 'low', 'unknown'] },
});

const notOffered = closed({ program: text('its name'), why: text('one sentence') });

const wordsSchema: Schema = {
  type: 'array',
  items: closed({ words: text('as written'), why: text('one clause') }),
};

const advice: Schema = {
  anyOf: [
    closed({
      followed: { type: 'boolean', description: 'false: the directives of the request apply instead' },
      understood: {
        type: 'array',
        items: closed({
          field: text('the directive, for example stop_conditions.after_program'),
          words: text('the text that it comes from'),
          says: text('effect, in one sentence'),
        }),
      },
      conflicts: texts('contradictions and how they are resolved'),
      not_followed: wordsSchema,
      removed: wordsSchema,
    }),
    { type: 'null' },
  ],
  description: 'interpretation of `user_advice`; null if it is empty',
};

const planning: Schema = {
  ...closed({
    decided_by: { type: 'string', enum: ['rules', 'model'] },
    provider: text('as in the request'),
    target: textOrNull('target of the model that chose, as named by the site'),
    model: textOrNull('which model chose'),
    requests: { type: 'integer', minimum: 0, description: 'number of model requests for this decision' },
    failed: { enum: [...turnFailureCodes, null], description: 'why no model gave a usable answer' },
    why: textOrNull('the reason in one sentence, or why no model was called'),
  }),
  description: 'who decided',
};

const fileUse: Schema = {
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
  experiment_type: { enum: ['xray', 'cryoem', null] },
  workflow_state: textOrNull('for example xray_refined'),
  directives: { type: 'object', description: 'directives that the decision followed' },
  advice,
  stop_code: { enum: [...Object.keys(statusOfStopReason), null], description: 'detail of stop_reason' },
  planning,
  valid_programs: texts('candidate programs in order of preference; only STOP if there is none'),
  not_offered: { type: 'array', items: notOffered },
  files: { type: 'array', items: fileUse, description: 'use of each file that is not an output of the history' },
  warnings: texts('warnings, and unusable input'),
  red_flags: texts('critical problems as `code: message suggestion`'),
});

const event = closed({
  type: { type: 'string', enum: Object.keys(eventLevels) },
  cycle: { type: 'integer' },
  at: text('ISO 8601'),
  message: text('one sentence'),
  data: { type: 'object' },
});

const problem: Schema = {
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
export const decideResponseSchema: Schema = {
  ...closed({
    api_version: { const: apiVersion },
    server_version: text('version of the service'),
    decision,
    stop: { type: 'boolean' },
    stop_reason: {
      enum: [...apiStopReasons, null],
      description: 'converged: the target quality is reached; red_flag: there is a critical problem',
    },
    abort_message: textOrNull('the critical problem that ended the session, as clients show it'),
    metadata,
    debug: closed({ log: texts('steps of the decision'), timing_ms: { type: 'number', minimum: 0 } }),
    events: { type: 'array', items: event },
    events_as_simple_string: text('the events as one JSON text'),
    error: textOrNull('error of the request; null: none'),
    problems: { type: 'array', items: problem, description: 'errors field by field' },
  }),
  title: 'DecideResponse',
};
