import type { WebhooksView } from '@fleet/contracts/webhooks';
import { RealGateway } from '../api/real-gateway';
import { until } from './deliverers';
import { MailTarget } from './mail-server';

describe('e-mail of a gateway over a database and a work root, by phx', () => {
  let gateway: RealGateway;
  let server: MailTarget;
  beforeAll(async () => {
    server = await MailTarget.start();
    const { host, port } = server.options().server;
    const env = {
      FLEET_SMTP_URL: `smtp+plain://${host}:${String(port)}`,
      FLEET_MAIL_FROM: 'fleet@example.org',
      FLEET_MAIL_DOMAINS: 'example.org',
      FLEET_PUBLIC_URL: 'https://fleet.example.org/',
    };
    gateway = await RealGateway.start({ env });
  });
  afterAll(async () => {
    await gateway.stop();
    await server.stop();
  });

  it('is asked for, tried, listed, outlives an emptied database, and ends', async () => {
    const refused = await gateway.phx(['webhooks', 'add', 'mailto:eve@evil.net', '--proposal', 'none']);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('FLEET_MAIL_DOMAINS')]);
    const made = await gateway.phx(['webhooks', 'add', 'mailto:ada@Example.org', '--proposal', 'none', '--every', '0']);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16}\n$/)]);
    const id = made.out.trim();
    const tried = await gateway.phx(['webhooks', 'test', id]);
    expect([tried.code, tried.out]).toEqual([0, expect.stringMatching(/^delivered with 250 in \d+ ms\n$/)]);
    expect(server.taken[0]).toMatchObject({ to: ['ada@example.org'], subject: '[phenix-fleet] a test' });
    expect((await gateway.phx(['webhooks', 'list'])).out).toContain('mailto:ada@example.org');

    expect((await gateway.phx(['submit', gateway.reflections])).code).toBe(0);
    await gateway.servers.emptyDatabase();
    await gateway.restart();
    expect((await gateway.phx(['recover'])).code).toBe(0);
    await until(() => server.taken.length === 2);
    expect(server.taken[1]?.text).toContain('has been rebuilt from its folder');
    expect(server.taken[1]?.text).toMatch(/https:\/\/fleet\.example\.org\/ui\/sessions\/\w{26}/);
    const listed = JSON.parse((await gateway.phx(['--json', 'webhooks', 'list'])).out) as WebhooksView;
    expect(listed.webhooks).toMatchObject([{ id, url: 'mailto:ada@example.org', everyMinutes: 0 }]);
    expect((await gateway.phx(['webhooks', 'remove', id])).code).toBe(0);
    expect((await gateway.phx(['webhooks', 'list'])).out).toBe('No webhooks.\n');
  });
});
