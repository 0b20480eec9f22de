import { RepeatKeys } from './repeat-key';

describe('the idempotency key of a submission', () => {
  it('is the same for the same submission, and differs for another', () => {
    const keys = new RepeatKeys();
    const first = keys.of({ files: ['/a'] });
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(keys.of({ files: ['/a'] })).toBe(first);
    expect(keys.of({ files: ['/b'] })).not.toBe(first);
    expect(new RepeatKeys().of({ files: ['/a'] })).not.toBe(first);
  });
});
