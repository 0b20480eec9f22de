import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { AuditEntry } from '@fleet/contracts/audit';
import { eventually } from '@fleet/testing';
import { SyslogForwarder } from './syslog-forwarder';

/** Of a collector called localhost, trusted only by these tests; valid from 2020 to 2120. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBQjCB6KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErXOMtWGJkk6fz0lv
RbwdrMJdJEGvJ8ryXDojUmaCTwiNUFQYRsGomFButM7uKrpSO9pUzEUPCqakILNA
WPqqLaMpMCcwFAYDVR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8w
CgYIKoZIzj0EAwIDSQAwRgIhAKMjAxVJfh1736FM+USi0KLBIjsQ70RiC1k86oXY
MREwAiEAgzjS8BqaoztXCcx/vjo4Lmkn8ckYfpTgGGF2j0x9bms=
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGvPaAEYJfVaAQv0A
CmwcuDRlS8uG16O1e9xytlZIszKhRANCAAStc4y1YYmSTp/PSW9FvB2swl0kQa8n
yvJcOiNSZoJPCI1QVBhGwaiYUG60zu4qulI72lTMRQ8KpqQgs0BY+qot
-----END PRIVATE KEY-----`;

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: number.toString(16).padStart(16, '0'),
  at: '2026-11-23T10:00:00.000Z',
  who: 'größe',
  action: 'session.download',
  endpoint: 'GET /v1/sessions/x/files.zip',
  object: 'session 01x',
  outcome: 'done',
  request: `r${String(number)}`,
  from: '127.0.0.1',
  ...more,
});

/** Splits messages by their length prefix (octet counting); throws if a length is wrong. */
const messagesIn = (bytes: Buffer): readonly string[] => {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const [counted, length] = /^(\d+) /.exec(bytes.toString('latin1', at, at + 10)) ?? [];
    if (counted === undefined) throw new Error(`no length at byte ${String(at)}`);
    const begin = at + counted.length;
    at = begin + Number(length);
    if (at <= bytes.length) messages.push(bytes.toString('utf8', begin, at));
  }
  return messages;
};

/** A syslog collector that accepts messages until it is closed. */
class Collector {
  private readonly sockets = new Set<Socket>();
  private bytes = Buffer.alloc(0);
  private server: Server | undefined;

  async listen(port = 0, tls = false): Promise<number> {
    const take = (socket: Socket): void => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('data', (data) => (this.bytes = Buffer.concat([this.bytes, data])));
    };
    this.server = tls ? createTlsServer({ key, cert }, take) : createServer(take);
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async goAway(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  get messages(): readonly string[] {
    return messagesIn(this.bytes);
  }

  get requests(): readonly string[] {
    return this.messages.map((message) => (JSON.parse(message.slice(message.indexOf('{'))) as AuditEntry).request);
  }

  /** Waits until exactly these messages have arrived, in order. */
  async until(...requests: readonly string[]): Promise<void> {
    await eventually(`the requests ${requests.join()}`, () => this.requests.join() === requests.join());
  }
}

describe('the audit log, forwarded to a syslog collector', () => {
  let collector: Collector;
  let lost: number;
  const opened: SyslogForwarder[] = [];
  const forwarder = (
    port: number,
    more: { readonly tls?: boolean; readonly host?: string; readonly mostWaiting?: number; readonly ca?: string } = {},
  ): SyslogForwarder => {
    const { tls = false, host = '127.0.0.1', ...patience } = more;
    const one = new SyslogForwarder(
      { host, port, tls },
      (count) => {
        lost += count;
      },
      { pauseMs: 1, longestPauseMs: 5, farewellMs: 20, ...patience },
    );
    opened.push(one);
    return one;
  };
  beforeEach(() => {
    collector = new Collector();
    lost = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await collector.goAway();
  });

  it('is sent as RFC 5424 messages in the order of the entries, each with a length prefix', async () => {
    const one = forwarder(await collector.listen());
    one.take(entry(1));
    one.take(entry(2, { outcome: 'denied', action: '' }));
    await collector.until('r1', 'r2');
    const [done, denied] = collector.messages;
    const id = `phenix-fleet ${String(process.pid)}`;
    expect(done).toMatch(new RegExp(`^<110>1 2026-11-23T10:00:00\\.000Z \\S+ ${id} session\\.download - \\{`));
    expect(denied).toMatch(new RegExp(`^<108>1 2026-11-23T10:00:00\\.000Z \\S+ ${id} - - \\{`));
    expect(JSON.parse(done?.slice(done.indexOf('{')) ?? '')).toEqual(entry(1));
    expect(lost).toBe(0);
  });

  it('waits for an unreachable collector, and continues with the next one at its address', async () => {
    const port = await collector.listen();
    await collector.goAway();
    const one = forwarder(port);
    for (const number of [1, 2, 3]) one.take(entry(number));
    await collector.listen(port);
    await collector.until('r1', 'r2', 'r3');
    await collector.goAway();
    await collector.listen(port);
    // What is in progress when a connection breaks may be lost or duplicated; what follows arrives.
    let number = 4;
    await eventually('what is new', () => {
      one.take(entry((number += 1)));
      return collector.requests.at(-1) !== 'r3';
    });
    expect(lost).toBe(0);
  });

  it('keeps a bounded number of entries, and counts the others', async () => {
    const port = await collector.listen();
    await collector.goAway();
    const one = forwarder(port, { mostWaiting: 5 });
    for (let number = 1; number <= 12; number += 1) one.take(entry(number));
    expect(lost).toBe(7);
    await collector.listen(port);
    await collector.until('r1', 'r2', 'r3', 'r4', 'r5');
  });

  it('counts the waiting entries when the gateway ends, and later ones', async () => {
    const port = await collector.listen();
    await collector.goAway();
    const one = forwarder(port);
    for (const number of [1, 2, 3]) one.take(entry(number));
    await one.close();
    expect(lost).toBe(3);
    one.take(entry(4));
    expect(lost).toBe(4);
  });

  it('is sent over TLS only to the collector named in the certificate', async () => {
    const port = await collector.listen(0, true);
    const trusting = forwarder(port, { tls: true, host: 'localhost', ca: cert });
    trusting.take(entry(1));
    await collector.until('r1');
    const others = [
      forwarder(port, { tls: true, host: 'localhost' }),
      forwarder(port, { tls: true, host: '127.0.0.1', ca: cert }),
    ];
    for (const other of others) {
      other.take(entry(2));
      await other.close();
    }
    expect([collector.requests, lost]).toEqual([['r1'], 2]);
  });
});
