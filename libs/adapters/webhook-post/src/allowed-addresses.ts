import { BlockList, isIP } from 'node:net';

/** IP addresses that are not public: loopback, link-local, private, multicast and reserved ones. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;
/** The public IPv6 range … */
const global6 = '2000::/3';
/** … except what embeds an IPv4 address, or is unassigned. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

const [refused4, internet6, refused6] = [listOf(special4), listOf([global6]), listOf(special6)];

/** IP addresses that may receive messages: public ones, and those of the configured networks. */
export class AllowedAddresses {
  private readonly named: BlockList;

  /** @param networks as `10.1.0.0/16` */
  constructor(networks: readonly string[]) {
    this.named = listOf(networks);
  }

  /** An IPv4 address in IPv6 notation is not public. */
  allows(address: string): boolean {
    const version = isIP(address);
    if (version === 4) return this.named.check(address, 'ipv4') || !refused4.check(address, 'ipv4');
    if (version !== 6) return false;
    return this.named.check(address, 'ipv6') || (internet6.check(address, 'ipv6') && !refused6.check(address, 'ipv6'));
  }
}
