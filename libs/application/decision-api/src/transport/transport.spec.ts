import type { JsonValue } from '@fleet/contracts/sessions';
import * as fc from 'fast-check';
import { projectRules } from '@fleet/testing';
import { buildTransport } from './transport';

const { transport: rules } = projectRules();
const transport = buildTransport(rules);

/** Texts of dangerous parts: markers, parts of markers, quotes, control characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'ZZ',
        'Z',
        'CR',
        'ZZDQ',
        'DQZZ',
        'ZZCRZZ',
        '"',
        "'",
        '{',
        '}',
        '\\',
        '\u0001',
        '\t',
        '\r',
        '\n',
        '$',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

const aRequest = fc.record({
  api_version: fc.constant('2.0'),
  files: fc.array(hostile),
  cycle_number: fc.integer(),
  log_content: hostile,
  user_advice: hostile,
  history: fc.array(
    fc.record({ program: hostile, command: hostile, result: hostile, metrics: fc.dictionary(hostile, hostile) }),
  ),
  anything: fc.jsonValue() as fc.Arbitrary<JsonValue>,
});

const cleaned = (log_content: string): string =>
  (transport.cleanRequest({ log_content }) as { log_content: string }).log_content;

describe('the transport', () => {
  it('restores every cleaned request', () => {
    fc.assert(
      fc.property(aRequest, (request) => {
        const sent = transport.cleanRequest(request);
        expect(transport.decode(transport.encode(sent))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
      { numRuns: 500 },
    );
  });

  it('is idempotent, and leaves no marker and no control character', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const once = cleaned(text);
        expect(cleaned(once)).toBe(once);
        expect(once).not.toMatch(/ZZ(CR|LB|RB|SC|HA|TA|DQ|SQ|SR|EX|DS)ZZ|[^\P{Cc}\n\u0080-\u009f]/u);
      }),
      { numRuns: 500 },
    );
  });

  it('writes none of the marked characters', () => {
    fc.assert(fc.property(aRequest, (request) => expect(transport.encode(request)).not.toMatch(/[\n{};#\t"'`!$]/)));
  });

  it('reads what a PHENIX client encodes', () => {
    const text = 'ZZLBZZZZDQZZaZZDQZZ: ZZDQZZb ZZSQZZcZZSQZZ ZZHAZZZZDQZZ,ZZCRZZ ZZDQZZnZZDQZZ: 2ZZRBZZ';
    expect(transport.decode(text)).toEqual({ a: "b 'c' #", n: 2 });
  });

  it('keeps text that only resembles a marker', () => {
    expect(cleaned('ZZXXZZ and ZZCR')).toBe('ZZXXZZ and ZZCR');
  });

  it('drops foreign markers, and those that a removal creates', () => {
    expect(cleaned('a ZZCRZZ b ZZZZLBZZCRZZ c ZZC\u0001RZZ d')).toBe('a  b  c  d');
  });

  it('truncates a long single-quoted string, but no double-quoted one', () => {
    const long = 'M'.repeat(600);
    expect(cleaned(`pdb70_text='${long}' end`)).toBe(`pdb70_text='${'M'.repeat(500)}...[truncated]' end`);
    expect(cleaned(`text="${long}"`)).toBe(`text="${long}"`);
    expect(cleaned(`it's\n${long}\nisn't`)).toBe(`it's\n${long}\nisn't`);
    expect(cleaned(`'${'M'.repeat(500)}'`)).toBe(`'${'M'.repeat(500)}'`);
  });

  it('converts tabs to blanks and removes carriage returns and control characters', () => {
    expect(cleaned('a\tb\r\nc\u0000\u007fd')).toBe('a b\ncd');
  });

  it('truncates each field to its own length, but no path', () => {
    const long = 'x'.repeat(60_000);
    const entry = { program: long, command: long, result: long, analysis: { note: long, deep: { er: long } } };
    const request = { log_content: long, user_advice: long, files: [long], history: [entry] };
    const sent = transport.cleanRequest(request) as unknown as typeof request;
    expect(sent.log_content).toHaveLength(50_000);
    expect(sent.log_content.endsWith('...[truncated]')).toBe(true);
    expect(sent.user_advice).toHaveLength(10_000);
    expect(sent.files[0]).toHaveLength(60_000);
    const [{ program, command, result, analysis } = entry] = sent.history;
    expect([program.length, command.length, result.length]).toEqual([100, 2000, 1000]);
    expect([analysis.note.length, analysis.deep.er.length]).toEqual([500, 500]);
  });

  it('cuts nesting deeper than ten levels', () => {
    const nest = (levels: number): JsonValue => (levels === 0 ? 'core' : { in: nest(levels - 1) });
    expect(JSON.stringify(transport.cleanRequest(nest(10)))).toContain('core');
    expect(JSON.stringify(transport.cleanRequest(nest(11)))).not.toContain('core');
  });

  it.each(['', '{', 'hello', 'ZZLBZZ'])('rejects %j, which is not an encoded request', (text) => {
    expect(() => transport.decode(text)).toThrow(/not JSON/);
  });
});
