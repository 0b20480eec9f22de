import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import {
  modelFailureClasses,
  modelProtocols,
  unaskedClasses,
  type ModelFailureClass,
  type ModelProtocol,
} from '@fleet/contracts';
import type { ModelAnswer } from '@fleet/ports';
import { ScriptedModels, type ModelPlay } from '@fleet/testing';
import { openTargets, type OpenTargets, type TargetSettings } from './index';

let models: ScriptedModels;
const opened: OpenTargets[] = [];

/** Long, for a busy machine; rows about time have shorter ones. */
const limits = { firstMs: 20_000, idleMs: 20_000, totalMs: 30_000 };
const short = { firstMs: 1_000, idleMs: 700 };
const request = {
  asked: { prompt: 'plan 1', hash: 'ab' },
  messages: [
    { role: 'system', text: 'You choose a program.' },
    { role: 'user', text: 'Which one?' },
  ],
  answer: { name: 'plan', schema: { type: 'object', properties: { program: { type: 'string' } } } },
} as const;

const targetOf = (
  protocol: ModelProtocol,
  more: Partial<TargetSettings> = {},
  [key]: readonly string[] = ['sk-secret'],
) => {
  const open = openTargets([
    {
      id: `site-${protocol}`,
      protocol,
      baseUrl: models.baseUrlOf(protocol),
      model: 'scripted',
      ...(key !== undefined && { key }),
      local: true,
      contextTokens: 4_096,
      maxOutputTokens: 512,
      sendsSchema: true,
      limits,
      ...more,
    },
  ]);
  opened.push(open);
  return open.targets[0]!;
};

/** Where sockets of this process went, as `host:port`. */
const connected = new Set<string>();
const onSocket = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  socket.once('connect', () => connected.add(`${socket.remoteAddress ?? '?'}:${socket.remotePort ?? '?'}`));
  socket.once('lookup', (_error, address: string, _family, host: string) => connected.add(`lookup ${host} ${address}`));
};

beforeAll(async () => {
  subscribe('net.client.socket', onSocket);
  models = await ScriptedModels.start();
  // What a developer has in the environment says nothing here.
  Object.assign(process.env, {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/openai',
    OPENAI_ORG_ID: 'org-of-somebody',
    OPENAI_CUSTOM_HEADERS: 'x-secret: told',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/anthropic',
    ANTHROPIC_CUSTOM_HEADERS: 'x-secret: told',
    GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9/google',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    HTTP_PROXY: 'http://127.0.0.1:9',
    http_proxy: 'http://127.0.0.1:9',
  });
});

afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await models.close();
  unsubscribe('net.client.socket', onSocket);
});

const failureOf = (answer: ModelAnswer) => {
  if (answer.ok) throw new Error(`it answered ${answer.reply.text}`);
  return answer.failure;
};
const replyOf = (answer: ModelAnswer) => {
  if (!answer.ok) throw new Error(`${answer.failure.class}: ${answer.failure.why}`);
  return answer.reply;
};

interface Row {
  readonly play: ModelPlay;
  readonly class: ModelFailureClass;
  readonly why: RegExp;
  /** Milliseconds. */
  readonly within?: number;
  readonly limits?: Partial<TargetSettings['limits']>;
  readonly retryAfterMs?: number;
  /** Protocols that have no word for it. */
  readonly not?: readonly ModelProtocol[];
}

const fault = (name: Extract<ModelPlay, { fault: string }>['fault']): ModelPlay => ({ fault: name });

const rows: Readonly<Record<string, Row>> = {
  '429 without Retry-After': { play: fault('rate_limit'), class: 'rate_limit', why: /^it answered 429: / },
  '429 with Retry-After': { play: fault('rate_limit_later'), class: 'rate_limit', why: /429/, retryAfterMs: 7_000 },
  'a quota that is used up': { play: fault('quota'), class: 'quota', why: /quota|credit balance/ },
  'a wrong key': { play: fault('auth'), class: 'auth', why: /^it answered 401: / },
  '500': { play: fault('server_error'), class: 'unavailable', why: /^it answered 500: / },
  '503, or overloaded': { play: fault('overloaded'), class: 'unavailable', why: /^it answered 5(03|29): / },
  '404 of a gateway': { play: fault('gateway_404'), class: 'unavailable', why: /^it answered 404: / },
  'a redirect': { play: fault('redirect'), class: 'unavailable', why: /^it answered 307/ },
  'a reset before the answer': { play: fault('reset'), class: 'unavailable', why: /^the connection broke: / },
  'a hang': { play: fault('hang'), class: 'timeout', why: /^no content within 1 s$/, within: 2_500, limits: short },
  'nothing but keep-alives': {
    play: fault('keep_alive_only'),
    class: 'timeout',
    why: /^no content within 1 s$/,
    within: 2_500,
    limits: short,
  },
  'a stall in the midst, with keep-alives': {
    play: fault('stall'),
    class: 'timeout',
    why: /^no content for 0\.7 s in the midst of the answer$/,
    within: 4_000,
    limits: short,
  },
  'an answer that goes on and on': {
    play: { say: 'abc', paceMs: 300, thinking: 'x' },
    class: 'timeout',
    why: /^no end within 0\.8 s$/,
    within: 2_500,
    limits: { totalMs: 800 },
  },
  'a connection that breaks in the midst': { play: fault('cut'), class: 'unavailable', why: /^the connection broke: / },
  'an error in the midst': { play: fault('stream_error'), class: 'unavailable', why: /overloaded|error/i },
  'a stream without its end': { play: fault('no_end'), class: 'bad_answer', why: /ended without saying/ },
  'an answer that is far too long': {
    play: fault('flood_of_words'),
    class: 'bad_answer',
    why: /longer than 262144 characters$/,
  },
  'a stream of garbage without an end': {
    play: fault('flood'),
    class: 'bad_answer',
    why: /more than 8388608 bytes/,
    within: 15_000,
  },
  'HTML with 200': {
    play: fault('html'),
    class: 'bad_answer',
    why: /^it answered with text\/html, no stream: Sign in Please sign in$/,
  },
  'JSON with 200': { play: fault('json_error_with_200'), class: 'bad_answer', why: /application\/json, no stream: / },
  'an empty answer': { play: { say: '' }, class: 'bad_answer', why: /^the answer is empty$/ },
  'thoughts alone': {
    play: { say: '', thinking: 'hm', finish: 'length' },
    class: 'bad_answer',
    why: /^the answer is empty: the model only thought$/,
  },
  'tagged thoughts without an end': {
    play: { say: '<think>should I' },
    class: 'bad_answer',
    why: /^the answer is empty: the model only thought$/,
  },
  'a refusal': {
    play: { say: 'I', finish: 'refused' },
    class: 'refused',
    why: /^the model does not answer this$/,
    not: ['ollama'],
  },
  'messages that are too long': { play: fault('overflow'), class: 'overflow', why: /^it answered 400: / },
  'a request that it does not take': { play: fault('bad_request'), class: 'bad_request', why: /^it answered 400: / },
};

const cases = modelProtocols.flatMap((protocol) =>
  Object.entries(rows)
    .filter(([, row]) => row.not?.includes(protocol) !== true)
    .map(([name, row]) => [protocol, name, row] as const),
);

describe('what goes wrong', () => {
  it.each(cases)('%s: %s', async (protocol, _name, row) => {
    models.play(row.play);
    const target = targetOf(protocol, { limits: { ...limits, ...row.limits } });
    const began = performance.now();
    const failure = failureOf(await target.ask(request));
    expect(performance.now() - began).toBeLessThan(row.within ?? 15_000);
    expect(failure).toMatchObject({ class: row.class, why: expect.stringMatching(row.why) as string });
    expect(failure.retryAfterMs).toBe(row.retryAfterMs);
    expect(failure.why).not.toContain('sk-secret');
    expect(models.requests).toHaveLength(1);
  });

  it('has a row or a test for every class', () => {
    const shown = new Set<ModelFailureClass>([
      'aborted',
      ...unaskedClasses,
      ...Object.values(rows).map((row) => row.class),
    ]);
    expect(modelFailureClasses.filter((one) => !shown.has(one))).toEqual([]);
  });

  it.each(modelProtocols)('%s: a caller who gives up is heard at once', async (protocol) => {
    models.play(fault('stall'));
    const caller = new AbortController();
    const asking = targetOf(protocol).ask(request, caller.signal);
    setTimeout(() => {
      caller.abort();
    }, 150);
    const failure = failureOf(await asking);
    expect(failure.class).toBe('aborted');
    expect(failure.latencyMs).toBeLessThan(2_000);
    const before = failureOf(await targetOf(protocol).ask(request, AbortSignal.abort()));
    expect(before.class).toBe('aborted');
  });

  it.each(modelProtocols)('%s: a server that is not there', async (protocol) => {
    const nowhere = `http://127.0.0.1:1${protocol === 'openai' ? '/v1' : ''}`;
    const failure = failureOf(await targetOf(protocol, { baseUrl: nowhere }).ask(request));
    expect(failure).toMatchObject({ class: 'unavailable', why: expect.stringContaining('ECONNREFUSED') as string });
    connected.delete('127.0.0.1:1');
  });
});

describe('what is told', () => {
  const said: readonly (readonly [string, ModelPlay, object])[] = [
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
  const spoken = modelProtocols.flatMap((protocol) => said.map((row) => [protocol, ...row] as const));

  it.each(spoken)('%s: %s, with the tokens', async (protocol, _name, play, expected) => {
    models.play(play);
    const reply = replyOf(await targetOf(protocol).ask(request));
    expect(reply).toMatchObject({ ...expected, usage: { inputTokens: 120, outputTokens: 34 } });
    expect(models.requests).toHaveLength(1);
  });

  it.each(modelProtocols)('%s: a slow answer is waited for as long as something comes', async (protocol) => {
    models.play({ say: 'abc', paceMs: 600 });
    const target = targetOf(protocol, { limits: { ...limits, firstMs: 1_500, idleMs: 1_500 } });
    expect(replyOf(await target.ask(request)).text).toBe('abc');
  });

  it('Ollama has cut off messages that fill its context', async () => {
    models.play({ say: '{}' });
    expect(failureOf(await targetOf('ollama', { contextTokens: 120 }).ask(request)).class).toBe('overflow');
  });
});

describe('what is sent', () => {
  it.each(modelProtocols)(
    '%s: the messages, the schema and the key, and nothing about this machine',
    async (protocol) => {
      models.play({ say: '{}' });
      await targetOf(protocol, { temperature: 0.2 }).ask(request);
      const [sent] = models.requests;
      const told = Object.keys(sent?.headers ?? {}).toSorted();
      const usual = ['connection', 'content-length', 'content-type', 'host', 'transfer-encoding', 'accept'];
      const key = {
        openai: 'authorization',
        anthropic: 'authorization',
        google: 'x-goog-api-key',
        ollama: 'authorization',
      };
      const own = [key[protocol], ...(protocol === 'anthropic' ? ['anthropic-version'] : [])];
      expect(told.filter((name) => !usual.includes(name))).toEqual(own.toSorted());
      expect(sent?.headers[key[protocol]]).toMatch(/^(Bearer )?sk-secret$/);
      expect(sent?.body).toContain('You choose a program.');
      expect(sent?.body).toContain('"temperature":0.2');
      expect(sent?.body).toContain('512');
      expect(sent?.body.includes('"properties":{"program"')).toBe(protocol !== 'anthropic');
    },
  );

  it.each(modelProtocols)('%s: no key where there is none', async (protocol) => {
    models.play({ say: '{}' });
    replyOf(await targetOf(protocol, {}, []).ask(request));
    const told = models.requests.map(({ headers }) => JSON.stringify(headers)).join();
    expect(told).not.toMatch(/authorization|api-key/);
  });

  it('goes to the configured address alone', () => {
    expect([...connected]).toEqual([`127.0.0.1:${models.port}`]);
  });
});
