import { anId } from '@fleet/testing';
import { parsePayload } from './parse-payload';

const good = { version: 1, sessionId: anId(), sessionVersion: 3 };

describe('parsePayload', () => {
  it('returns a valid payload', () => {
    expect(parsePayload(good)).toEqual(good);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', '{}'],
    ['no version', { ...good, version: undefined }],
    ['version zero', { ...good, version: 0 }],
    ['a path for an id', { ...good, sessionId: '../../etc/passwd' }],
    ['an upper-case id', { ...good, sessionId: good.sessionId.toUpperCase() }],
    ['text for a number', { ...good, sessionVersion: '3' }],
    ['a fraction', { ...good, sessionVersion: 1.5 }],
    ['a field too many', { ...good, file: 'contents' }],
    ['a field with the name of a method', { ...good, toString: 'contents' }],
  ])('rejects %s without retry', (_what, data) => {
    expect(() => parsePayload(data)).toThrow(
      expect.objectContaining({ name: 'Fault', code: 'queue.bad_payload', kind: 'bug' }) as Error,
    );
  });

  it('leaves the payload of a newer release to a newer worker, whatever its content', () => {
    expect(() => parsePayload({ version: 2, other: 'layout' })).toThrow(
      expect.objectContaining({ name: 'NewerPayload' }) as Error,
    );
  });
});
