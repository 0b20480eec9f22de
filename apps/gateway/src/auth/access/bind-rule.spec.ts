import { bindingOf, isAnyoneKnown, isLoopback } from './bind-rule';

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST'])('%s leads only to this machine', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', 'beamline', ''])(
    '%j may lead elsewhere',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('the listen address of a gateway', () => {
  const everywhere = { host: '0.0.0.0', openAccess: 'loopback' } as const;

  it('can be any once a key was created', () => {
    expect(bindingOf(everywhere, true)).toBeUndefined();
  });

  it('is loopback only before that, with a message', () => {
    expect(bindingOf({ ...everywhere, host: '127.0.0.1' }, false)).toMatchObject({ level: 'log' });
    expect(() => bindingOf(everywhere, false)).toThrow(/FLEET_GATEWAY_HOST: is "0.0.0.0".*phx admin keys create/s);
  });

  it('can be any with open access if so configured, with a warning', () => {
    expect(bindingOf({ ...everywhere, openAccess: 'anywhere' }, false)).toMatchObject({ level: 'warn' });
  });
});

it('requires a login as soon as access is controlled', async () => {
  expect(await isAnyoneKnown({ isOpen: () => Promise.resolve(true) })).toBe(false);
  expect(await isAnyoneKnown({ isOpen: () => Promise.resolve(false) })).toBe(true);
});
