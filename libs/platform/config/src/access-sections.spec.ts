import { AccessConfig, trustedProxiesOf } from './access-sections';
import { loadConfig } from './load-config';

const proxiesOf = (text: string): readonly string[] =>
  trustedProxiesOf(loadConfig(AccessConfig, { FLEET_TRUSTED_PROXIES: text }));

describe('FLEET_TRUSTED_PROXIES', () => {
  it('lists addresses and networks, and is empty by default', () => {
    expect(proxiesOf('127.0.0.1, 10.1.0.0/16,fd00:1::/64 , ::1')).toEqual([
      '127.0.0.1',
      '10.1.0.0/16',
      'fd00:1::/64',
      '::1',
    ]);
    expect(proxiesOf('')).toEqual([]);
  });

  it.each(['0.0.0.0/0', '::/0', '10.1.0.0/33', '10.1', 'loopback', '*', 'true', '10.1.0.0/16;127.0.0.1'])(
    'prevents a start with %s',
    (text) => {
      expect(() => proxiesOf(text)).toThrow('FLEET_TRUSTED_PROXIES');
    },
  );
});
