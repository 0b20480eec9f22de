import { aCycle, anEvent, aSession, aFile } from '@fleet/testing';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { isDescribed, mistakesIn } from './check';
import { directivesSchema } from '../guidance/directives';
import { sessionEventSchema } from '../sessions/events';
import { stepPayloadSchema } from '../queues/queues';
import { choice, closed, integer, list, record, text, type JsonSchema } from './schema';
import { sessionSchema } from '../sessions/session';
import { settingsRequestSchema } from '../service/settings';

const thing = closed(
  record(
    { name: text(undefined, { maxLength: 3 }), size: integer(undefined, { minimum: 1, maximum: 9 }) },
    { kinds: list(choice(['one', 'two'])) },
  ),
);

describe('mistakesIn', () => {
  it('finds no mistakes in a valid value', () => {
    expect(mistakesIn(thing, { name: 'abc', size: 1, kinds: ['two'] })).toEqual([]);
    expect(mistakesIn(sessionSchema, aSession({ cycles: [aCycle()] }))).toEqual([]);
  });

  it('reports all mistakes at once: field, reason, what is allowed', () => {
    const mistakes = mistakesIn(thing, { name: 'abcd', kinds: ['one', 'three'], other: 1 }, { at: 'thing' });
    expect(mistakes.map(({ kind, field, reason, allowed }) => [kind, field, reason, allowed])).toEqual([
      ['missing', 'thing.size', 'is missing', 'a whole number from 1 to 9'],
      ['too_long', 'thing.name', 'has 4 characters', 'at most 3 characters'],
      ['value', 'thing.kinds[1]', '"three" is not allowed', 'one, two'],
      ['unknown', 'thing.other', 'is not known', 'name, size, kinds'],
    ]);
  });

  it('stops at the requested number of mistakes', () => {
    expect(
      mistakesIn(
        list(integer()),
        Array.from({ length: 1000 }, () => 'x'),
        { most: 20 },
      ),
    ).toHaveLength(20);
  });

  it.each<[string, unknown]>([
    ['text of the name of a method', { name: 'toString', size: 1, toString: 1 }],
    ['a list', []],
    ['null', null],
    ['nothing', undefined],
    ['a number that is none', { name: '', size: Number.NaN }],
  ])('refuses %s', (_what, value) => {
    expect(isDescribed(thing, value)).toBe(false);
  });
});

describe('mistakesIn and a validator of JSON Schema agree', () => {
  const isTime = (value: string): boolean =>
    Number(new Date(value).getUTCFullYear().toString().padStart(4, '0').slice(0, 2)) === 20;
  const ajv = new Ajv({ allowUnionTypes: true, strictNumbers: true, formats: { 'date-time': isTime } });
  ajv.addKeyword('x-allowed');

  const agree = (schema: JsonSchema, values: fc.Arbitrary<unknown>): void => {
    const accepts = ajv.compile(schema);
    fc.assert(fc.property(values, (value) => expect(mistakesIn(schema, value).length === 0).toBe(accepts(value))));
  };

  /** Every path in a value. */
  const placesIn = (value: unknown): readonly (readonly string[])[] =>
    typeof value !== 'object' || value === null
      ? [[]]
      : [[], ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner).map((place) => [key, ...place]))];

  const changed = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
    if (key === undefined) return by;
    const inner = changed(Reflect.get(value as object, key), rest, by);
    return Array.isArray(value)
      ? value.map((one: unknown, index) => (String(index) === key ? inner : one))
      : { ...(value as object), [key]: inner };
  };

  /** A valid value with one change. */
  const nearly = (right: unknown): fc.Arbitrary<unknown> =>
    fc
      .tuple(
        fc.constantFrom(...placesIn(right)),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('/x', '2026-01-01', 1, -1)),
      )
      .map(([place, by]) => changed(right, place, by));

  const cell = [1, 2, 3, 90, 90, null];
  const session = aSession({
    cycles: [aCycle()],
    stop: { reason: 'converged', detail: 'done', afterCycle: 1 },
  });
  const inputs = [aFile({ pin: { inode: '1', size: 2, modified: '3' }, facts: { cell: cell as never } })];
  it.each<[string, JsonSchema, unknown]>([
    ['a session', sessionSchema, { ...session, request: { ...session.request, inputs } }],
    ['an event', sessionEventSchema, anEvent()],
    ['settings', settingsRequestSchema, session.request.settings],
    ['a payload', stepPayloadSchema, { version: 1, sessionId: session.id, sessionVersion: 1 }],
    [
      'directives',
      directivesSchema,
      {
        program_settings: { default: { resolution: 2 }, 'phenix.refine': { a: 'b', c: true } },
        stop_conditions: { after_cycle: 2, r_free_target: 0.2 },
        file_preferences: { model: 'a.pdb', exclude: ['b'] },
        workflow_preferences: { skip_programs: ['phenix.refine'] },
      },
    ],
  ])('on %s with one thing changed', (_what, schema, right) => {
    expect(mistakesIn(schema, right)).toEqual([]);
    agree(schema, nearly(right));
  });
});
