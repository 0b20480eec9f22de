import { DerivedTriggerSecrets } from './derived-trigger-secrets';
import { keyOf } from './session-signature';

describe('secrets of triggers', () => {
  const [now, before] = [keyOf(Buffer.alloc(32, 1)), keyOf(Buffer.alloc(32, 2))];

  it('follow from the key and the installation, the newest first, and are another for every key', () => {
    const [first, second] = new DerivedTriggerSecrets([now, before]).of('0123456789abcdef');
    expect(first).toHaveLength(32);
    expect(first).toEqual(new DerivedTriggerSecrets([now]).of('0123456789abcdef')[0]);
    expect(second).toEqual(new DerivedTriggerSecrets([before]).of('0123456789abcdef')[0]);
    expect(new Set([first, second, ...new DerivedTriggerSecrets([now]).of('0123456789abcdee')].map(String)).size).toBe(
      3,
    );
  });

  it('are none without a key of the installation', () => {
    expect(new DerivedTriggerSecrets([]).of('0123456789abcdef')).toEqual([]);
  });
});
