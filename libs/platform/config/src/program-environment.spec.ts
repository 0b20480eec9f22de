import { programEnvironment } from './program-environment';

describe('the environment of programs', () => {
  it('contains what programs need and no secret', () => {
    const env = {
      PATH: '/opt/bin',
      HOME: '/home/a',
      REDIS_URL: 'redis://:secret@host',
      LANG: 'de_DE',
      FLEET_BACKEND: 'local',
      OPEN_PHENIX_MONOMERS: '/shared/monomers',
    };
    expect(programEnvironment(env)).toEqual({
      PATH: '/opt/bin',
      HOME: '/home/a',
      LANG: 'C.UTF-8',
      OPEN_PHENIX_MONOMERS: '/shared/monomers',
    });
  });

  it('has a PATH even if the service has none', () => {
    expect(programEnvironment({})).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' });
  });
});
