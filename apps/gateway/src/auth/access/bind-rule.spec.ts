import { bindingOf, isAnyoneKnown, isLoopback } from './bind-rule';

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'LOCALHOST'])('%s leads to this machine alone', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', 'beamline', ''])(
    '%j may lead elsewhere',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('where a gateway may listen', () => {
  const everywhere = { host: '0.0.0.0', openAccess: 'loopback' } as const;

  it('is anywhere once a key was made', () => {
    expect(bindingOf(everywhere, true)).toBeUndefined();
  });

  it('is this machine alone before that, and it says so', () => {
    expect(bindingOf({ ...everywhere, host: '127.0.0.1' }, false)).toMatchObject({ level: 'log' });
    expect(() => bindingOf(everywhere, false)).toThrow(/FLEET_GATEWAY_HOST: is "0.0.0.0".*phx admin keys create/s);
  });

  it('is anywhere with nobody known where somebody has said so, with a warning', () => {
    expect(bindingOf({ ...everywhere, openAccess: 'anywhere' }, false)).toMatchObject({ level: 'warn' });
  });
});

it('somebody is known as soon as the gateway is shut', async () => {
  expect(await isAnyoneKnown({ isOpen: () => Promise.resolve(true) })).toBe(false);
  expect(await isAnyoneKnown({ isOpen: () => Promise.resolve(false) })).toBe(true);
});
