import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { modelFailureClasses, modelProtocols, unaskedClasses, type ModelFailureClass } from '@fleet/contracts/models';
import type { ModelAnswer } from '@fleet/ports';
import { eventually, sourceThreadArguments, type ModelPlay } from '@fleet/testing';
import { failureOf, faultMatrix, faults, ScriptedTargets } from './fixtures/fault-matrix';
import { request } from './fixtures/request';

let targets: ScriptedTargets;
beforeAll(async () => {
  targets = await ScriptedTargets.start();
});
afterAll(() => targets.close());

const replyOf = (answer: ModelAnswer) => {
  if (!answer.ok) throw new Error(`${answer.failure.class}: ${answer.failure.why}`);
  return answer.reply;
};

/** Of the protocols other than the first; fault-matrix.long-spec.ts covers all. */
const some = new Set([
  'a quota that is used up',
  'an error in the midst',
  'thoughts alone',
  'messages that are too long',
]);

describe('the fault matrix', () => {
  faultMatrix((protocol, name) => protocol === 'openai' || some.has(name));

  it('has a row or a test for every class', () => {
    const shown = new Set<ModelFailureClass>([
      'aborted',
      ...unaskedClasses,
      ...Object.values(faults).map((row) => row.class),
    ]);
    expect(modelFailureClasses.filter((one) => !shown.has(one))).toEqual([]);
  });

  it.each(modelProtocols)('%s: a caller who gives up aborts the call', async (protocol) => {
    const { models } = targets;
    models.play({ fault: 'stall' });
    const caller = new AbortController();
    const asking = targets.target(protocol).ask(request, caller.signal);
    await eventually('the request', () => models.requests.length === 1);
    caller.abort();
    expect(failureOf(await asking).class).toBe('aborted');
    const before = failureOf(await targets.target(protocol).ask(request, AbortSignal.abort()));
    expect(before.class).toBe('aborted');
  });

  it.each(modelProtocols)('%s: an unreachable server', async (protocol) => {
    const nowhere = `http://127.0.0.1:1${protocol === 'openai' ? '/v1' : ''}`;
    const failure = failureOf(await targets.target(protocol, { baseUrl: nowhere }).ask(request));
    expect(failure).toMatchObject({ class: 'unavailable', why: expect.stringContaining('ECONNREFUSED') as string });
  });
});

describe('the reply', () => {
  const replies: readonly (readonly [string, ModelPlay, object])[] = [
    ['prose', { say: 'I would refine.' }, { text: 'I would refine.', finish: 'stop' }],
    ['a fence', { say: '```json\n{"program":"x"}\n```' }, { text: '```json\n{"program":"x"}\n```' }],
    ['another schema', { say: '{"other":1}' }, { text: '{"other":1}' }],
    [
      'a truncation',
      { say: '{"program":"phenix.ref', finish: 'length' },
      { text: '{"program":"phenix.ref', finish: 'length' },
    ],
    ['thoughts', { say: '{"a":1}', thinking: 'let me see' }, { text: '{"a":1}', thinking: 'let me see' }],
    ['tagged thoughts', { say: '<think>let me see</think>{"a":1}' }, { text: '{"a":1}', thinking: 'let me see' }],
  ];
  const spoken = modelProtocols.flatMap((protocol) => replies.map((row) => [protocol, ...row] as const));

  it.each(spoken)('%s: %s, with the tokens', async (protocol, _name, play, expected) => {
    targets.models.play(play);
    const reply = replyOf(await targets.target(protocol).ask(request));
    expect(reply).toMatchObject({ ...expected, usage: { inputTokens: 120, outputTokens: 34 } });
    expect(targets.models.requests).toHaveLength(1);
  });

  it('detects messages that Ollama truncated to its context', async () => {
    targets.models.play({ say: '{}' });
    expect(failureOf(await targets.target('ollama', { contextTokens: 120 }).ask(request)).class).toBe('overflow');
  });
});

describe('the request', () => {
  it.each(modelProtocols)(
    '%s: contains the messages, the schema and the key, and nothing about this machine',
    async (protocol) => {
      targets.models.play({ say: '{}' });
      await targets.target(protocol, { temperature: 0.2 }).ask(request);
      const [sent] = targets.models.requests;
      const names = Object.keys(sent?.headers ?? {}).toSorted();
      const usual = ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding', 'accept'];
      const key = {
        openai: 'authorization',
        anthropic: 'authorization',
        google: 'x-goog-api-key',
        ollama: 'authorization',
      };
      const own = [key[protocol], ...(protocol === 'anthropic' ? ['anthropic-version'] : [])];
      expect(names.filter((name) => !usual.includes(name))).toEqual(own.toSorted());
      expect(sent?.headers[key[protocol]]).toMatch(/^(Bearer )?sk-secret$/);
      expect(sent?.body).toContain('You choose a program.');
      expect(sent?.body).toContain('"temperature":0.2');
      expect(sent?.body).toContain('512');
      expect(sent?.body.includes('"properties":{"program"')).toBe(protocol !== 'anthropic');
    },
  );

  it.each(modelProtocols)('%s: has no key without a configured one', async (protocol) => {
    targets.models.play({ say: '{}' });
    replyOf(await targets.target(protocol, {}, []).ask(request));
    const headersText = targets.models.requests.map(({ headers }) => JSON.stringify(headers)).join();
    expect(headersText).not.toMatch(/authorization|api-key/);
  });
});

describe("a developer's environment", () => {
  it('neither redirects a request nor appears in one', async () => {
    const { models } = targets;
    models.play({ say: '{}' });
    const env = {
      PATH: process.env['PATH'],
      OPENAI_BASE_URL: 'http://127.0.0.1:9/openai',
      OPENAI_ORG_ID: 'org-of-somebody',
      OPENAI_CUSTOM_HEADERS: 'x-secret: told',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/anthropic',
      ANTHROPIC_CUSTOM_HEADERS: 'x-secret: told',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9/google',
      GOOGLE_GENAI_USE_VERTEXAI: 'true',
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    };
    const script = join(__dirname, 'fixtures/ask-each.main.ts');
    const settings = modelProtocols.map((protocol) => targets.settings(protocol));
    const args = [...sourceThreadArguments, script, JSON.stringify(settings)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout)).toEqual({
      answered: modelProtocols.map(() => true),
      connected: [`127.0.0.1:${String(models.port)}`],
    });
    expect(models.requests.map(({ protocol }) => protocol)).toEqual(modelProtocols);
    expect(JSON.stringify(models.requests)).not.toMatch(/org-of-somebody|x-secret/);
  });
});
