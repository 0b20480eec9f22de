import { AllowedAddresses } from './allowed-addresses';

const internet = new AllowedAddresses([]);

describe('allowed webhook addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:93.184.216.34',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'fe80::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is rejected', (address) => {
    expect(internet.allows(address)).toBe(false);
  });

  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946'])('%s is allowed', (address) => {
    expect(internet.allows(address)).toBe(true);
  });

  it('allow only configured private networks', () => {
    const own = new AllowedAddresses(['10.1.0.0/16', 'fd00:1::/64']);
    const judged = ['10.1.9.9', '10.2.0.1', 'fd00:1::5', 'fd00:2::5'].map((address) => own.allows(address));
    expect(judged).toEqual([true, false, true, false]);
  });
});
