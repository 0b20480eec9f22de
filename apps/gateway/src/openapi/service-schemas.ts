import {
  settingDefinitions,
  type ApiProblem,
  type BestFileView,
  type EventsView,
  type OutputFile,
  type ProblemDetails,
  type ProgramsView,
  type ProgramView,
  type ResultMetric,
  type ResultsView,
  type SettingDefinition,
  type SettingsView,
} from '@fleet/contracts';
import type { SessionPage } from '@fleet/ports';
import type { RecoveryReport } from '@fleet/recovery';
import type { MetricsView } from '@fleet/session-report';
import { errorCatalogue, problemCodes } from '../errors/error-catalogue';
import type { RecoveryBody } from '../recoveries/read-recovery-body';
import type { RemoveLastCyclesBody, ResumeBody } from '../session-tools/read-tool-body';
import { textFields, type SubmissionBody } from '../submission/submission-body';
import {
  flag,
  integer,
  listOf,
  number,
  objectOf,
  oneOf,
  openObject,
  ref,
  text,
  time,
  type JsonSchema,
} from './json-schema';

const schemaOfSetting = (definition: SettingDefinition): JsonSchema => {
  const { what: description, default: value } = definition;
  switch (definition.type) {
    case 'integer':
    case 'number':
      return { type: definition.type, minimum: definition.min, maximum: definition.max, default: value, description };
    case 'boolean':
      return { type: 'boolean', default: value, description };
    case 'choice':
      return { type: 'string', enum: definition.choices, default: value, description };
    case 'list':
      return { type: 'array', items: text(), default: value, description };
  }
};

const settings: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(settingDefinitions).map(([name, definition]) => [name, schemaOfSetting(definition)]),
  ),
  additionalProperties: false,
};

const field = (name: keyof typeof textFields): JsonSchema => ({
  type: 'string',
  maxLength: textFields[name].longest,
  default: textFields[name].default,
  description: `${textFields[name].what} (${textFields[name].allowed})`,
});

/** Schemas of everything but the session record. */
export const serviceSchemas: Readonly<Record<string, JsonSchema>> = {
  Settings: settings,
  Submission: {
    ...objectOf<SubmissionBody>({
      files: { type: 'array', items: text(), minItems: 1, description: 'absolute paths below the data folders' },
      settings: ref('Settings'),
      directives: ref('Directives'),
      title: field('title'),
      advice: field('advice'),
      proposal: field('proposal'),
      beamline: field('beamline'),
      submitter: field('submitter'),
    }),
    required: ['files'],
  },
  Resumption: {
    ...objectOf<ResumeBody>(
      {
        files: {
          type: 'array',
          items: text(),
          minItems: 1,
          description: 'more files: absolute paths below the data folders',
        },
        advice: field('advice'),
        settings: ref('Settings'),
        directives: ref('Directives'),
      },
      ['advice', 'directives'],
    ),
    required: [],
  },
  CycleRemoval: objectOf<RemoveLastCyclesBody>({ count: { type: 'integer', minimum: 1 } }),
  SessionList: objectOf<SessionPage>(
    { sessions: listOf(ref('SessionRow')), nextCursor: text('pass it as ?cursor=; absent on the last page') },
    ['nextCursor'],
  ),
  EventList: objectOf<EventsView>({ events: listOf(ref('Event')), next: text('pass it as ?after=') }),
  OutputFile: objectOf<OutputFile>({
    cycle: integer(),
    program: text(),
    name: text('inside its attempt'),
    path: text(),
    size: integer('bytes'),
    format: text(),
    href: text('where it can be fetched'),
  }),
  BestFile: objectOf<BestFileView>(
    { category: text(), stage: text(), score: number(), path: text(), cycle: integer('0: submitted'), href: text() },
    ['href'],
  ),
  ResultMetric: objectOf<ResultMetric>(
    {
      name: text(),
      value: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
      unit: text(),
      cycle: integer('the last one that measured it'),
      program: text(),
    },
    ['unit'],
  ),
  Results: objectOf<ResultsView>(
    {
      id: text(),
      status: text(),
      stop: ref('Stop'),
      simulated: flag(),
      folder: text(),
      bestFiles: listOf(ref('BestFile')),
      metrics: listOf(ref('ResultMetric')),
      files: listOf(ref('OutputFile')),
      summary: text('where the summary can be read'),
    },
    ['stop'],
  ),
  Program: objectOf<ProgramView>({ program: text(), installed: flag(), provider: text(), version: text() }, [
    'provider',
    'version',
  ]),
  Programs: objectOf<ProgramsView>(
    { backend: oneOf(['local', 'kubernetes']), probedAt: time, programs: listOf(ref('Program')) },
    ['probedAt'],
  ),
  SettingDefinitions: objectOf<SettingsView>({ settings: openObject('name to type, default, range and meaning') }),
  MetricDefinitions: objectOf<MetricsView>({ metrics: openObject('name to label, unit, decimals, better') }),
  Recovery: objectOf<RecoveryReport>({
    recovered: listOf(openObject('id, status, cycle, trusted, missingFiles')),
    existing: listOf(text(), 'ids that were there already'),
    untrusted: listOf(
      openObject('id, status, cycle, folder, title, reason, digest'),
      'left out: nothing shows that this installation wrote the file',
    ),
    leftOut: listOf(openObject('folder, code, reason'), 'left out: the file cannot be used'),
    notListed: integer('folders that were left out beyond those that are listed'),
  }),
  RecoveryWish: objectOf<RecoveryBody>(
    {
      trust: openObject(
        'session id to digest, as an earlier answer named it: files that count although nobody can authenticate them',
      ),
      by: text('who trusts them; written into the events of the sessions'),
    },
    ['trust', 'by'],
  ),
  Ok: { type: 'object', properties: { status: oneOf(['ok']) }, required: ['status'] },
  Health: openObject('status, and details of each probe'),
  FieldProblem: objectOf<ApiProblem>(
    {
      field: text(),
      reason: text(),
      allowed: text(),
      code: text(`one of ${problemCodes.join(', ')}, or a fault's own`),
    },
    ['allowed', 'code'],
  ),
  Problem: objectOf<ProblemDetails>(
    {
      type: text(),
      title: text(),
      status: integer(),
      detail: text(),
      instance: text(),
      code: text(`one of ${Object.keys(errorCatalogue).join(', ')}, or a fault's own`),
      problems: listOf(ref('FieldProblem'), 'everything that is wrong, at once'),
      errorId: text('under this id the error stands in the log of the gateway'),
    },
    ['problems', 'errorId'],
    'RFC 9457',
  ),
};
