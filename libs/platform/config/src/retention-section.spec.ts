import { loadConfig } from './load-config';
import { RetentionConfig, retentionOf } from './retention-section';

const rulesOf = (text?: string) =>
  retentionOf(loadConfig(RetentionConfig, text === undefined ? {} : { FLEET_RETENTION: text }));

describe('FLEET_RETENTION', () => {
  it('is a list of rules; empty by default', () => {
    expect(rulesOf()).toEqual([]);
    expect(rulesOf('[{"outcome":"solved","folder":"365d","record":"never"}]')).toEqual([
      { outcome: 'solved', folder: '365d', record: 'never' },
    ]);
  });

  it.each([
    ['[{"outcome":"failed","folder":"1d","record":"1d"}]', /rule .*outcome/],
    ['[{"folder":"30","record":"1y"}]', /days such as 30d/],
    ['[{"folder":"1d"}]', /record.* is missing/],
    ['[{"folder":"1d","record":"1d","proposal":"mx1"}]', /proposal/],
    [
      '[{"folder":"never","record":"5y"}]',
      /"every session: folder without end, record 5 years" deletes the record before/,
    ],
    ['[}]', /is not JSON/],
  ])('rejects %s', (text, why) => {
    expect(() => rulesOf(text)).toThrow(why);
  });
});
