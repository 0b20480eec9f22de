import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NewWebhook, WebhooksView } from '@fleet/contracts/webhooks';
import { eventually, useStarted } from '@fleet/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { RealGateway } from '../api/real-gateway';
import { Target } from './target';

const env = {
  FLEET_WEBHOOK_TARGETS: 'http://127.0.0.1:*',
  FLEET_WEBHOOK_NETWORKS: '127.0.0.1/32',
  FLEET_PUBLIC_URL: 'https://fleet.example.org/',
};

describe('webhooks of a gateway over a database and a work root, by phx', () => {
  const gateway = useStarted('file', () => RealGateway.start({ env }));
  const target = useStarted('file', () => Target.start());
  const json = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse((await gateway.phx(['--json', ...args])).out) as T;
  const receivedOf = (type: string) => target.received.find(({ message }) => message.type === type);

  it('are made, tried, listed and removed', async () => {
    const made = await gateway.phx(['webhooks', 'add', target.url, '--proposal', 'none', '--label', 'the chat']);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]);
    const listed = await gateway.phx(['webhooks', 'list']);
    expect(listed.out).toMatch(/proposal none +0 +0 +0 +0 +not delivered yet +http:\/\/127\.0\.0\.1\S+ +the chat/);
    const [{ id } = { id: '' }] = (await json<WebhooksView>('webhooks', 'list')).webhooks;
    expect((await gateway.phx(['webhooks', 'test', id])).out).toMatch(/^delivered with 204 in \d+ ms\n$/);
    const tried = receivedOf('webhook.test');
    const headers = tried?.headers as Record<string, string>;
    expect(new Verifier(made.out.trim()).verify(tried?.body ?? '', headers)).toEqual(tried?.message);
    target.answer = (_, reply) => {
      reply.writeHead(500).end();
    };
    const failed = await gateway.phx(['webhooks', 'test', id]);
    expect([failed.code, failed.out]).toEqual([3, expect.stringContaining('it answered 500')]);
    target.answer = (_, reply) => {
      reply.writeHead(204).end();
    };
    expect((await gateway.phx(['webhooks', 'dead', id])).out).toBe('No dead notices.\n');
    expect((await gateway.phx(['webhooks', 'replay', id])).out).toBe('0 notices wait again\n');
    expect((await gateway.phx(['webhooks', 'remove', id])).out).toContain('removed');
    expect((await gateway.phx(['webhooks', 'list'])).out).toBe('No webhooks.\n');
    expect((await gateway.phx(['webhooks', 'test', id])).code).toBe(4);
  });

  it('outlive an emptied database and hear of what is recovered; one that was removed hears nothing', async () => {
    const { secret, webhook } = await json<NewWebhook>('webhooks', 'add', target.url, '--proposal', 'none');
    const { webhook: gone } = await json<NewWebhook>('webhooks', 'add', `${target.url}/gone`, '--proposal', 'none');
    await gateway.phx(['webhooks', 'remove', gone.id]);
    expect((await gateway.phx(['submit', gateway.reflections])).code).toBe(0);
    const folder = join(gateway.root, 'work/.phenix-fleet-access/webhooks');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining([`${webhook.id}.webhook.json`]));
    await gateway.servers.emptyDatabase();
    await gateway.restart();
    expect((await gateway.phx(['recover'])).code).toBe(0);
    const delivery = await eventually('the recovery', () => receivedOf('session.recovered'));
    expect(delivery.message.data).toMatchObject({
      session: { proposal: 'none' },
      status: 'running',
      links: { self: expect.stringMatching(/^https:\/\/fleet\.example\.org\/v1\/sessions\/\w+$/) as string },
    });
    const headers = delivery.headers as Record<string, string>;
    expect(new Verifier(secret).verify(delivery.body, headers)).toEqual(delivery.message);
    expect((await json<WebhooksView>('webhooks', 'list')).webhooks.map(({ id }) => id)).toEqual([webhook.id]);
    await gateway.restart();
    expect((await json<WebhooksView>('webhooks', 'list')).webhooks.map(({ id }) => id)).toEqual([webhook.id]);
  });
});
