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
  command: text('for people and for clients that split it like a shell; STOP for a stop'),
  argv: texts('the same command, typed; empty for a stop'),
  reasoning: text('why, in sentences'),
  strategy: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'keys that reached the command',
  },
  confidence: { type: 'string', enum: ['high', 'medium', 'low', 'unknown'] },
});

const notOffered = closed({ program: text('its name'), why: text('one sentence') });

const wordsSchema: Schema = {
  type: 'array',
  items: closed({ words: text('as they were written'), why: text('one clause') }),
};

const advice: Schema = {
  anyOf: [
    closed({
      followed: { type: 'boolean', description: 'false: the request has directives, and they hold instead' },
      understood: {
        type: 'array',
        items: closed({
          field: text('the directive, for example stop_conditions.after_program'),
          words: text('what it was read from'),
          says: text('what it does, one sentence'),
        }),
      },
      conflicts: texts('what contradicts itself, and what happens'),
      not_followed: wordsSchema,
      removed: wordsSchema,
    }),
    { type: 'null' },
  ],
  description: 'what was read of user_advice; null where it is empty',
};

const planning: Schema = {
  ...closed({
    decided_by: { type: 'string', enum: ['rules', 'model'] },
    provider: text('as the request has it'),
    target: textOrNull('where the model that chose was asked, as the site calls it'),
    model: textOrNull('which model chose'),
    requests: { type: 'integer', minimum: 0, description: 'that were made to models for it' },
    failed: { enum: [...turnFailureCodes, null], description: 'why no model gave an answer that can be used' },
    why: textOrNull('the same in a sentence, or why none was asked'),
  }),
  description: 'who decided',
};

const fileUse: Schema = {
  type: 'object',
  properties: {
    path: text('as the request has it'),
    used: { type: 'boolean', description: 'false: no program is given it' },
    text: text('used as what and by which programs, or why it is not'),
    notes: texts('what is to be known about it; absent where there is nothing'),
  },
  required: ['path', 'used', 'text'],
  additionalProperties: false,
};

const metadata = closed({
  experiment_type: { enum: ['xray', 'cryoem', null] },
  workflow_state: textOrNull('for example xray_refined'),
  directives: { type: 'object', description: 'what is asked for in structured form, as the decision followed it' },
  advice,
  stop_code: { enum: [...Object.keys(statusOfStopReason), null], description: 'stop_reason, more exactly' },
  planning,
  valid_programs: texts('what was offered, in the order of preference; STOP alone where nothing was'),
  not_offered: { type: 'array', items: notOffered },
  files: { type: 'array', items: fileUse, description: 'the outcome of each file that was not made by the history' },
  warnings: texts('what looks wrong, or could not be used'),
  red_flags: texts('what is critically wrong: code: message suggestion'),
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
  properties: { field: text('its path'), reason: text('what is wrong'), allowed: text('what would do') },
  required: ['field', 'reason'],
  additionalProperties: false,
};

/** JSON Schema (draft 2020-12) of the response to a v2 request. */
export const decideResponseSchema: Schema = {
  ...closed({
    api_version: { const: apiVersion },
    server_version: text('version of this service'),
    decision,
    stop: { type: 'boolean' },
    stop_reason: {
      enum: [...apiStopReasons, null],
      description: 'converged: the quality that was aimed at is reached; red_flag: something is critically wrong',
    },
    abort_message: textOrNull('what is critically wrong, where that ended it; what clients show'),
    metadata,
    debug: closed({ log: texts('the way of the decision'), timing_ms: { type: 'number', minimum: 0 } }),
    events: { type: 'array', items: event },
    events_as_simple_string: text('the events as one JSON text'),
    error: textOrNull('what was wrong with the request; null when nothing was'),
    problems: { type: 'array', items: problem, description: 'the same, field by field' },
  }),
  title: 'DecideResponse',
};
