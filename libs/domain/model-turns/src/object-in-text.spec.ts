import { objectIn } from './object-in-text';

describe('the object in an answer', () => {
  it.each([
    ['alone', '{"a":1}', { a: 1 }],
    ['in a fence', '```json\n{"a":{"b":"}"}}\n```', { a: { b: '}' } }],
    ['in prose', 'I take {"a":1}, for {"b":2} is worse', { a: 1 }],
    ['with a quote in a text', '{"a":"\\"}"}', { a: '"}' }],
    ['cut off', '{"a":{"b":1}', undefined],
    ['cut off in a text', '{"a":"b}', undefined],
    ['that is none', '{a:1}', undefined],
    ['that is not there', 'refine', undefined],
    ['that a careless repair would make whole', '{"program":"phenix.ref', undefined],
  ])('%s', (_where, text, expected) => {
    expect(objectIn(text)).toEqual(expected);
  });

  it('is found in linear time', () => {
    const began = performance.now();
    expect(objectIn('{"a":'.repeat(50_000))).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});
