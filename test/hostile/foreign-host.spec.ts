import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useStarted } from '@fleet/testing';
import { knownHosts } from '../../apps/gateway/src/http/known-hosts';
import { GatewayHarness } from '../api/gateway-harness';

/** What a browser sends for a page of a name that was made to lead to this machine. */
const rebound = {
  host: 'attacker.example:8080',
  origin: 'http://attacker.example:8080',
  'sec-fetch-site': 'same-origin',
};

describe('a foreign host name that resolves to the gateway', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  it.each([
    ['POST', '/v1/sessions'],
    ['PUT', '/v1/admin/launch'],
    ['GET', '/v1/sessions'],
    ['GET', '/health/ready'],
    ['GET', '/docs-json'],
    ['GET', '/nothing/here'],
  ] as const)('is refused: %s %s', async (method, url) => {
    const answer = await gateway.app.inject({
      method,
      url,
      headers: rebound,
      ...(method === 'GET' ? {} : { payload: {} }),
    });
    expect(answer.statusCode).toBe(421);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.json()).toMatchObject({ code: 'request.foreign_host', status: 421, instance: url });
  });

  it('is refused on a real connection too, and an IP address is accepted', async () => {
    await gateway.app.listen(0, '127.0.0.1');
    const { port } = gateway.app.getHttpServer().address() as AddressInfo;
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: '/v1/sessions', headers: { host }, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusFor('attacker.example')).toBe(421);
    expect(await statusFor(`127.0.0.1:${String(port)}`)).toBe(200);
    expect(await statusFor(`localhost:${String(port)}`)).toBe(200);
  });
});

describe('knownHosts', () => {
  const isKnown = knownHosts(['fleet.example.org', '*.beam.example.org'], 'Station7');

  it.each([
    'localhost',
    'LOCALHOST:8080',
    'localhost.',
    'fleet.localhost:8080',
    '127.0.0.1:8080',
    '10.42.0.17:8080',
    '[::1]:8080',
    '[fe80::1]',
    'station7:8080',
    'fleet.example.org',
    'Fleet.Example.org:443',
    'i03.beam.example.org',
  ])('takes %s', (host) => {
    expect(isKnown(host)).toBe(true);
  });

  it.each([
    '',
    'attacker.example',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    '127.0.0.1@attacker.example',
    'attacker.example@127.0.0.1',
    'attacker.example#localhost',
    'beam.example.org',
    'xbeam.example.org',
    'notlocalhost',
    '[::1',
    '::1',
    '127.1.2.3.4',
    'localhost:8080:8080',
    'localhost attacker.example',
  ])('refuses %j', (host) => {
    expect(isKnown(host)).toBe(false);
  });

  it('accepts any name if configured', () => {
    expect(knownHosts(['*'])('anything.example')).toBe(true);
  });
});
