import { firstGuidance, nextGuidance, readAdvice } from '@fleet/advice';
import type { AdviceSource } from '@fleet/contracts/guidance';
import { isoTime } from '@fleet/ports';
import { anEvent } from '@fleet/testing';
import { modelSite } from '../fixtures/model-site';

const at = modelSite();

const byRules = (raw: string) => readAdvice(raw, at.ruleBook, { experiment: 'xray' });
const sourcesOf = (text: string): readonly AdviceSource[] => [{ from: 'text', text }];
const adviceText = 'Call it a day after phaser.';

/** A session with advice that no rule can read, at a site with models that read advice. */
const submitted = async (options: Parameters<typeof at.open>[0] = {}) => {
  const all = await at.open({
    roles: '{ planning: [site], directives: [site] }',
    guidance: (clock) => firstGuidance({ sources: sourcesOf(adviceText) }, byRules, isoTime(clock)),
    ...options,
  });
  const step = async () => all.step((await all.now()).version);
  const advise = async (text: string) => {
    const session = await all.now();
    const next = nextGuidance(session, { sources: sourcesOf(text) }, byRules, isoTime(all.clock));
    if (next === undefined) throw new Error('nothing new was said');
    const { id: sessionId, stage, cycle } = session;
    const from = { revision: next.revision - 1, stage, cycle };
    return all.records.advise({ sessionId, from, guidance: next, events: [anEvent({ type: 'advice_read' })] });
  };
  return { ...all, step, advise };
};

const ending = (program: string, words: string) => ({
  say: JSON.stringify({ wishes: [{ field: 'stop_conditions.after_program', value: program, words }] }),
});
const reading = ending('phenix.phaser', 'Call it a day after phaser');

describe('a decision worker whose models read advice', () => {
  it('reads unread advice, moves to the same position with the reading, and decides by it', async () => {
    at.models.play(reading);
    const { step, now, replies, events, notes, ledger } = await submitted();
    expect(notes[1]).toBe(
      `Models that read advice, in this order: site (scripted at 127.0.0.1:${at.models.port}, local).`,
    );
    expect(await step()).toEqual({ outcome: 'advanced' });
    const read = await now();
    expect(read).toMatchObject({ stage: 'deciding', cycle: 1, attempt: 1, version: 2, cycles: [] });
    expect(read.guidance).toMatchObject({
      revision: 1,
      reader: 'model',
      reading: { directives: { stop_conditions: { after_program: 'phenix.phaser' } } },
      modelReading: { requests: 1, target: 'site', model: 'scripted' },
    });
    expect(replies()).toEqual([`c001-read-${read.guidance?.modelReading?.hash?.slice(0, 16) ?? ''}.json`]);
    const event = (await events()).find(({ type }) => type === 'advice_read');
    expect(event).toMatchObject({ data: { reader: 'model', revision: 1 } });
    expect(event?.message).toContain('The session ends when phenix.phaser has succeeded. (read by a model)');
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await now()).toMatchObject({ stage: 'executing', cycles: [{ decision: { guidance: 1 } }] });
    expect(at.models.requests).toHaveLength(1);
    expect(await ledger.entries(read.id)).toMatchObject([{ work: 'c001-read', result: 'answered' }]);
  });

  it('pays once for a step that crashed after the reply', async () => {
    at.models.play(reading, { say: '{"wishes":[]}' });
    const { dies, step, now } = await submitted();
    await dies();
    expect(await step()).toEqual({ outcome: 'advanced' });
    const { guidance } = await now();
    expect(guidance?.reading.directives.stop_conditions).toEqual({ after_program: 'phenix.phaser' });
    expect(guidance?.modelReading).toMatchObject({ requests: 0, target: 'site' });
    expect(at.models.requests).toHaveLength(1);
  });

  it('waits for a model if the submitter requires one, and reads once it is available', async () => {
    at.models.play({ fault: 'overloaded' });
    const { step, now, clock } = await submitted({ settings: { model_outage: 'wait' } });
    expect(await step()).toEqual({ outcome: 'waiting' });
    const waits = await now();
    expect(waits).toMatchObject({ stage: 'deciding', cycle: 1, cycles: [], guidance: { reader: 'rules' } });
    expect(waits.guidance).not.toHaveProperty('modelReading');
    expect(waits.waiting?.reason).toContain('site: ');
    at.models.play(reading);
    clock.forward(600_000);
    expect(await step()).toEqual({ outcome: 'advanced' });
    const read = await now();
    expect(read).toMatchObject({ stage: 'deciding', guidance: { reader: 'model' } });
    expect(read.waiting).toBeUndefined();
  });

  it('reads new advice again: while a model reads the previous advice, and after that', async () => {
    at.models.play({ fault: 'hang' }, ending('phenix.autosol', 'Call it a day after autosol'));
    const { step, now, advise } = await submitted();
    const stepping = step();
    await at.requested();
    expect(await advise('Call it a day after autosol.')).toBe('applied');
    expect(await stepping).toEqual({ outcome: 'advanced' });
    expect((await now()).guidance).toMatchObject({
      revision: 2,
      reader: 'model',
      reading: { directives: { stop_conditions: { after_program: 'phenix.autosol' } } },
    });
    expect(at.models.requests).toHaveLength(2);
    at.models.play(reading);
    await advise(adviceText);
    expect((await now()).guidance).toMatchObject({ revision: 3, reader: 'rules' });
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect((await now()).guidance).toMatchObject({ revision: 3, reader: 'model' });
  });

  it('holds no slot of its queue while a call hangs, and hands the step back when it ends', async () => {
    at.models.play({ fault: 'hang' });
    const { processor, site, lane, now } = await submitted();
    const { id, version } = await now();
    const payload = { version: 1, sessionId: id, sessionVersion: version } as const;
    expect(await processor.handle(payload)).toEqual({ outcome: 'waiting' });
    await at.requested();
    site.onModuleDestroy();
    await lane.beforeApplicationShutdown();
    expect(await now()).toMatchObject({ version: 1, guidance: { reader: 'rules' } });
    expect((await now()).guidance).not.toHaveProperty('modelReading');
  });

  it('continues with the reading of the rules if the models reply with nonsense', async () => {
    at.models.play({ say: 'It wants phaser.' });
    const { step, now } = await submitted();
    const before = await now();
    expect(await step()).toEqual({ outcome: 'advanced' });
    const { guidance } = await now();
    expect(guidance).toMatchObject({
      ...before.guidance,
      modelReading: { failed: 'model_invalid', requests: 3 },
    });
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect((await now()).stage).toBe('executing');
    expect(at.models.requests).toHaveLength(3);
  });

  it('calls no model if none has the role', async () => {
    at.models.play(reading);
    const { step, now, site } = await submitted({ roles: '{ planning: [site] }' });
    expect(site.reader(at.ruleBook)).toBeUndefined();
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await now()).toMatchObject({ stage: 'executing', guidance: { reader: 'rules' } });
    expect(at.models.requests).toEqual([]);
  });
});
