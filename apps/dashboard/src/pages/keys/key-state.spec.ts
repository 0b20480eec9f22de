import type { ApiKeyView } from '@fleet/contracts/access';
import { keyStateOf, keysShown } from './key-state';

const now = Date.parse('2026-11-25T00:00:00.000Z');
const key = (id: string, changes: Partial<ApiKeyView> = {}): ApiKeyView => ({
  id,
  owner: 'ada',
  label: '',
  role: 'user',
  proposals: [],
  beamlines: [],
  scopes: ['read'],
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: 'root',
  expiresAt: '2027-11-01T00:00:00.000Z',
  ...changes,
});

it('shows how long a key is valid', () => {
  const states = [
    key('a'),
    key('b', { expiresAt: '2026-12-01T00:00:00.000Z' }),
    key('c', { expiresAt: '2026-11-25T00:00:00.000Z' }),
    key('d', { revokedAt: '2026-11-02T00:00:00.000Z' }),
  ].map((one) => keyStateOf(one, now));
  expect(states).toEqual(['good', 'soon', 'expired', 'revoked']);
});

it('shows matching keys in use, the newest first, and the others on request', () => {
  const keys = [
    key('old', { owner: 'Bob' }),
    key('new', { createdAt: '2026-11-20T00:00:00.000Z', label: 'bob’s laptop' }),
    key('over', { owner: 'bob', revokedAt: '2026-11-02T00:00:00.000Z' }),
    key('else'),
  ];
  const ids = (all: boolean) => keysShown(keys, { text: ' bob', all }, now).map(({ id }) => id);
  expect([ids(false), ids(true)]).toEqual([
    ['new', 'old'],
    ['new', 'old', 'over'],
  ]);
});
