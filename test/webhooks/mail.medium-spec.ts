import { usualNoticeKinds } from '@fleet/contracts/webhooks';
import type { Deliveries } from '@fleet/ports';
import type { MailOptions } from '@fleet/webhook-post';
import { startPostgres, useStarted } from '@fleet/testing';
import { Deliverers, impatient, until } from './deliverers';
import { MailTarget, reply } from './mail-server';

const ada = 'ada@example.org';
const proposal = { what: 'proposal', name: 'mx1' } as const;
const minuteMs = 60_000;
const inOrder = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('e-mail to a mail server', () => {
  const postgres = useStarted('file', () => startPostgres());
  const fleet = useStarted('test', () => Deliverers.start(postgres));
  const server = useStarted('test', () => MailTarget.start());
  const deliver = (changes: Partial<MailOptions> = {}, deliveries?: Deliveries) =>
    fleet.deliver(
      { mail: { ...server.options(), ...changes }, linkBase: 'https://fleet.example.org', targets: [] },
      deliveries,
    );
  const state = (webhook: { readonly id: string }) => fleet.store.deliveries.state(webhook.id);
  const gatheredTill = async ({ id }: { readonly id: string }): Promise<number> => {
    const query = 'SELECT held_until AS till FROM webhooks WHERE id = $1';
    const { rows } = await fleet.client.query<{ till: Date | null }>(query, [id]);
    return rows[0]?.till?.getTime() ?? 0;
  };
  /** Waits through all tries, as fast as the machine goes. */
  const untilDead = (webhook: { readonly id: string }, count: number): Promise<void> =>
    until(async () => {
      fleet.clock.aheadMs += 5_000;
      return (await state(webhook)).dead === count;
    });
  const endedSessions = async (count: number): Promise<readonly string[]> => {
    const sessions = await Promise.all(inOrder(count).map(() => fleet.session()));
    for (const id of sessions) await fleet.end(id);
    return sessions;
  };

  it('tells at once how a session ended, how well it fits, what to do and how to end the e-mail', async () => {
    const id = await fleet.session('mx1', undefined, 'crystal 7 \u00e4');
    const { id: webhook } = await fleet.mail(ada, { what: 'session', name: id });
    await fleet.end(id);
    deliver();
    await until(() => server.taken.length === 1);
    const [mail] = server.taken as [(typeof server.taken)[0]];
    expect(mail).toMatchObject({
      from: 'fleet@example.org',
      to: [ada],
      subject: '[phenix-fleet] crystal 7 \u00e4 (mx1, i04): solved',
    });
    expect(mail.messageId).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
    expect(mail.raw).toMatch(/^auto-submitted: auto-generated\r$/im);
    expect(mail.raw).toMatch(/^content-type: text\/plain; charset=utf-8\r$/im);
    expect(mail.text).toContain('solved. R-free 0.213, R-work 0.187, at 1.60 \u00c5');
    expect(mail.text).toContain('Next: Look at the model and its map before you use them.');
    expect(mail.text).toContain(`https://fleet.example.org/ui/sessions/${id}`);
    expect(mail.text).toContain(`phx webhooks remove ${webhook}`);
  });

  it('gathers what happens in a proposal for the minutes that were asked for, and again from then on', async () => {
    const webhook = await fleet.mail(ada, proposal, 10);
    deliver();
    const first = [...(await endedSessions(3))];
    await until(async () => (await gatheredTill(webhook)) > 0);
    first.push(...(await endedSessions(1)));
    expect(server.received).toEqual([]);
    fleet.clock.aheadMs += 10 * minuteMs;
    await until(() => server.taken.length === 1);
    expect(server.taken[0]?.subject).toBe('[phenix-fleet] mx1: 4 solved');
    for (const id of first) expect(server.taken[0]?.text).toContain(`dataset ${id} (mx1, i04)`);
    await until(async () => (await state(webhook)).delivered === 4);

    await endedSessions(1);
    await until(async () => (await gatheredTill(webhook)) > Date.now() + fleet.clock.aheadMs);
    expect(server.received).toHaveLength(1);
    fleet.clock.aheadMs += 10 * minuteMs;
    await until(() => server.taken.length === 2);
  });

  it('holds so many notices at most; what is left comes at once, in order', async () => {
    const webhook = await fleet.mail(ada, proposal, 10, ['session.cycle_done']);
    const id = await fleet.session();
    await fleet.cycles(id, 5);
    deliver({ notices: 2 });
    await until(async () => (await gatheredTill(webhook)) > 0);
    fleet.clock.aheadMs += 10 * minuteMs;
    await until(async () => (await state(webhook)).delivered === 5);
    const cycles = server.taken.map(({ text }) => [...text.matchAll(/Cycle (\d)/g)].map(([, cycle]) => Number(cycle)));
    expect(cycles).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('comes again as the same e-mail where the gateway dies between it and its note', async () => {
    const webhook = await fleet.mail(ada, proposal, 10);
    await endedSessions(2);
    const { deliveries } = fleet.store;
    const died = (): Promise<never> => Promise.reject(new Error('killed'));
    const dying = Object.assign(Object.create(deliveries) as typeof deliveries, { delivered: died, release: died });
    deliver({}, dying);
    await until(async () => (await gatheredTill(webhook)) > 0);
    fleet.clock.aheadMs += 10 * minuteMs;
    await until(() => server.taken.length === 1);
    await fleet.stopSenders();
    fleet.clock.aheadMs += impatient.leaseMs;
    deliver();
    await until(async () => (await state(webhook)).delivered === 2);
    const [first, again] = server.taken.map(({ messageId, text }) => ({ messageId, text })).slice(-2);
    expect(again).toEqual(first);
  });

  it('is shared by two deliverers: no message is sent twice', async () => {
    const webhook = await fleet.mail(ada, proposal);
    deliver();
    deliver();
    const sessions = await endedSessions(12);
    await until(async () => (await state(webhook)).delivered === 12);
    const mailedIds = server.taken.flatMap(({ text }) => [...text.matchAll(/phx show (\w+)/g)].map(([, id]) => id));
    expect(mailedIds.toSorted()).toEqual([...sessions].sort());
  });

  it('waits for a server that is busy, and is tried again', async () => {
    const webhook = await fleet.mail(ada, proposal);
    const answers = [reply(451, 'busy'), reply(421, 'later')];
    server.atEnd = () => answers.shift();
    const [id] = await endedSessions(1);
    deliver();
    await until(async () => (await state(webhook)).delivered === 1);
    expect(server.received.map(({ messageId }) => messageId)).toEqual(Array(3).fill(server.taken[0]?.messageId));
    expect(server.taken[0]?.text).toContain(`phx show ${String(id)}`);
    expect(await state(webhook)).toMatchObject({ failing: 0, dead: 0, waiting: 0 });
  });

  it('dies at once where the recipient is refused for good, is listed, and comes when it is replayed', async () => {
    const webhook = await fleet.mail(ada, proposal, 0, ['session.cycle_done', ...usualNoticeKinds]);
    server.atRecipient = () => reply(550, 'no such user');
    const id = await fleet.session();
    await fleet.cycles(id, 2);
    deliver();
    await until(async () => (await state(webhook)).dead === 2);
    expect(server.received).toEqual([]);
    const dead = await fleet.store.deliveries.dead(webhook.id, 10);
    expect(dead).toMatchObject([
      { of: id, kind: 'session.cycle_done', why: expect.stringContaining('no such user') as string },
      { of: id, attempts: 1 },
    ]);
    server.atRecipient = () => undefined;
    expect(await fleet.store.deliveries.replay(webhook.id)).toBe(2);
    await until(async () => (await state(webhook)).delivered === 2);
    expect(await state(webhook)).toMatchObject({ dead: 0, waiting: 0 });
  });

  it('dies after its tries where the server stays away, also what stood behind it', async () => {
    const webhook = await fleet.mail(ada, proposal, 0, ['session.cycle_done']);
    await fleet.cycles(await fleet.session(), 2);
    server.atEnd = () => reply(451, 'not today');
    deliver();
    await untilDead(webhook, 2);
    const dead = await fleet.store.deliveries.dead(webhook.id, 10);
    expect(dead.map(({ attempts }) => attempts)).toEqual([impatient.maxAttempts, impatient.maxAttempts]);
    expect(server.taken).toEqual([]);
  });

  it('is never sent in the clear where TLS is asked for, nor to a server that nobody vouches for', async () => {
    const webhook = await fleet.mail(ada, proposal);
    await endedSessions(1);
    deliver({ server: server.options({ tls: 'starttls' }).server });
    await untilDead(webhook, 1);
    expect((await state(webhook)).lastFailure).toMatch(/STARTTLS|TLS/);
    await fleet.stopSenders();

    const pretender = await MailTarget.start({ disabledCommands: [] });
    await fleet.store.deliveries.replay(webhook.id);
    deliver({ server: pretender.options({ tls: 'starttls' }).server });
    await untilDead(webhook, 1);
    expect((await state(webhook)).lastFailure).toMatch(/certificate/);
    expect([...server.received, ...pretender.received]).toEqual([]);
    await pretender.stop();
  });

  it('logs in where the server asks for it, and is not let in with another password', async () => {
    const strict = await MailTarget.start({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) => {
        if (password === 'hunter2') done(null, { user: username });
        else done(new Error('no'));
      },
    });
    const webhook = await fleet.mail(ada, proposal);
    await endedSessions(1);
    deliver({ server: strict.options({ login: { user: 'fleet', pass: 'wrong one' } }).server });
    await untilDead(webhook, 1);
    await fleet.stopSenders();
    expect((await state(webhook)).lastFailure).not.toContain('wrong one');
    await fleet.store.deliveries.replay(webhook.id);
    deliver({ server: strict.options({ login: { user: 'fleet', pass: 'hunter2' } }).server });
    await until(() => strict.taken.length === 1);
    expect(strict.taken[0]?.user).toBe('fleet');
    await fleet.stopSenders();
    await strict.stop();
  });

  it('goes nowhere once the domain is taken off the list, or there is no mail server any more', async () => {
    const webhook = await fleet.mail(ada, proposal);
    await endedSessions(1);
    deliver({ domains: [] });
    await untilDead(webhook, 1);
    expect((await state(webhook)).lastFailure).toContain('FLEET_MAIL_DOMAINS');
    await fleet.stopSenders();
    await fleet.store.deliveries.replay(webhook.id);
    fleet.deliver();
    await untilDead(webhook, 1);
    expect((await state(webhook)).lastFailure).toContain('FLEET_SMTP_URL');
    expect(server.received).toEqual([]);
  });

  it('has the headers that we wrote, whatever a session is called', async () => {
    const title =
      'x\r\nBcc: eve@evil.net\r\nTo: eve@evil.net\r\n\r\n.\r\nMAIL FROM:<eve@evil.net>\r\nRCPT TO:<eve@evil.net>\r\nDATA\r\n';
    const id = await fleet.session('mx1', undefined, title);
    await fleet.mail(ada, { what: 'session', name: id });
    await fleet.end(id);
    deliver();
    await until(() => server.taken.length === 1);
    await fleet.stopSenders();
    const [head = ''] = server.taken[0]?.raw.split('\r\n\r\n') ?? [];
    const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name?.toLowerCase());
    expect(names).not.toContain('bcc');
    expect(names.filter((name) => name === 'to')).toHaveLength(1);
    expect(server.received.map(({ to }) => to)).toEqual([[ada]]);
  });

  it('leaves out what is damaged, says that it is, and tells the rest', async () => {
    const webhook = await fleet.mail(ada, proposal, 0, ['session.cycle_done']);
    const id = await fleet.session();
    await fleet.cycles(id, 3);
    const second = '(SELECT number FROM notices ORDER BY number OFFSET 1 LIMIT 1)';
    const damage = `UPDATE notices SET notice = '{}' WHERE number = ${second} RETURNING id`;
    const { rows } = await fleet.client.query<{ id: string }>(damage);
    deliver();
    await until(async () => (await state(webhook)).delivered === 2);
    expect(await fleet.store.deliveries.dead(webhook.id, 10)).toMatchObject([{ id: rows[0]?.id, of: id }]);
    expect(server.taken).toHaveLength(1);
  });
});
