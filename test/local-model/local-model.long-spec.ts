import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import { buildDecisionGraph, chooseByModels } from '@fleet/decision-graph';
import { openTargets, type OpenTargets, type TargetSettings } from '@fleet/model-targets';
import type { ModelAnswer, ModelRequest, ModelTarget } from '@fleet/ports';
import { projectRules } from '@fleet/testing';
import { plannerOf, withChoice, type Choosing } from '../bench/asked-models';

// @needs local-model
// The recorded sessions are in the folder of PHENIX_FLEET_TEST_SCENARIOS.

/** A model this small proves what lies between it and a session, and not how well models decide. */
const decisions = 20;

interface LocalModel {
  readonly child: ChildProcess;
  readonly url: string;
}
interface Setup {
  readonly startLocalModel: (options: object) => Promise<LocalModel>;
}

let local: LocalModel;
let opened: OpenTargets[] = [];

beforeAll(async () => {
  const script = pathToFileURL(join(__dirname, '../../scripts/setup/local-model.mjs')).href;
  const { startLocalModel } = (await import(script)) as Setup;
  local = await startLocalModel({ contextTokens: 4096 });
});
afterAll(async () => {
  for (const targets of opened) await targets.close();
  local.child.kill();
});

const aTarget = (more: Partial<TargetSettings> = {}): ModelTarget => {
  const targets = openTargets([
    {
      id: 'smollm2',
      protocol: 'openai',
      baseUrl: local.url,
      model: 'SmolLM2-135M-Instruct',
      local: true,
      contextTokens: 4096,
      maxOutputTokens: 150,
      temperature: 0,
      sendsSchema: true,
      limits: { firstMs: 300_000, idleMs: 120_000, totalMs: 600_000 },
      ...more,
    },
  ]);
  opened = [...opened, targets];
  const [target] = targets.targets;
  if (target === undefined) throw new Error('no target was opened');
  return target;
};

const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', text }],
  asked: { prompt: 'test 1', hash: 'none' },
  ...more,
});

const replyOf = (answer: ModelAnswer) => {
  if (!answer.ok) throw new Error(answer.failure.why);
  return answer.reply;
};

const story = asking('Write a very long story about a protein that folds.');

describe('a real model on this machine', () => {
  it('streams real tokens, which it counts', async () => {
    const reply = replyOf(await aTarget().ask(asking('What is a protein? Answer in one sentence.')));
    expect(reply.text).toMatch(/protein/i);
    expect(reply.usage.inputTokens).toBeGreaterThan(10);
    expect(reply.usage.outputTokens).toBeGreaterThan(5);
  });

  it('says that an answer was cut off', async () => {
    const reply = replyOf(await aTarget({ maxOutputTokens: 8 }).ask(story));
    expect(reply).toMatchObject({ finish: 'length', usage: { outputTokens: 8 } });
  });

  it('refuses what is longer than its context, which is told apart', async () => {
    const answer = await aTarget().ask(asking('protein '.repeat(5_000)));
    expect(answer).toMatchObject({ ok: false, failure: { class: 'overflow', status: 400 } });
  });

  it('keeps to the schema of an answer', async () => {
    const schema = {
      type: 'object',
      properties: { program: { enum: ['phenix.refine', 'phenix.xtriage'] }, sure: { type: 'boolean' } },
      required: ['program', 'sure'],
      additionalProperties: false,
    };
    const { text } = replyOf(await aTarget().ask(asking('Tell a joke.', { answer: { name: 'plan', schema } })));
    const answer = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(['program', 'sure']);
    expect(answer['program']).toMatch(/^phenix\.(refine|xtriage)$/);
    expect(typeof answer['sure']).toBe('boolean');
  });

  it('works no longer for who has gone: the next one is answered', async () => {
    const target = aTarget({ maxOutputTokens: 3_000 });
    const gone = new AbortController();
    const left = target.ask(story, gone.signal);
    setTimeout(() => gone.abort(), 500);
    expect(await left).toMatchObject({ ok: false, failure: { class: 'aborted' } });
    const next = replyOf(await aTarget({ maxOutputTokens: 3 }).ask(asking('Say yes.')));
    expect(next.usage.outputTokens).toBeLessThanOrEqual(3);
    // 3,000 tokens take it minutes.
    expect(next.latencyMs).toBeLessThan(60_000);
  });
});

/** One of each menu first, then a second one of each, and so on. */
const ofEachMenu = (all: readonly Choosing[]): readonly Choosing[] => {
  const groups = new Map<string, Choosing[]>();
  for (const one of all) {
    const name = one.menu.join(' ');
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return all.flatMap((_, round) => [...groups.values()].flatMap((group) => group[round] ?? []));
};

describe('recorded sessions', () => {
  const ruleBook = projectRules();

  it(`${String(decisions)} decisions are each one of the menu, by the model or by the rules`, async () => {
    const sessions = ofEachMenu(await withChoice(ruleBook));
    // Those that are asked a second time are asked by a warmer model, which says something else.
    const [first, again] = [aTarget(), aTarget({ temperature: 0.8 })];
    const requests = [
      ...sessions.map((one) => ({ ...one, target: first })),
      ...sessions.map((one) => ({ ...one, target: again })),
    ];
    const lines: string[] = [];
    for (const { target, ...one } of requests.slice(0, decisions)) {
      const graph = buildDecisionGraph({ ruleBook, choose: chooseByModels(plannerOf(ruleBook, [target])) });
      const outcome = await graph.decide(one.input);
      if (!('decision' in outcome)) throw new Error(`no decision: ${JSON.stringify(outcome)}`);
      const { program, decidedBy, planning } = outcome.decision;
      expect(one.menu).toContain(program);
      expect(planning?.requests).toBeGreaterThanOrEqual(1);
      // Its server is there and answers: what the rules decided, they did because no answer could be used.
      if (decidedBy === 'model') expect(planning?.target).toBe('smollm2');
      else expect([decidedBy, program, planning?.failed]).toEqual(['rules', one.program, 'model_invalid']);
      lines.push(
        `${decidedBy}: ${program} of ${one.menu.join(', ')} (${String(planning?.requests)} requests) ${planning?.why ?? ''}`,
      );
    }
    process.stderr.write(`${lines.join('\n')}\n`);
    expect(lines).toHaveLength(decisions);
  });
});
