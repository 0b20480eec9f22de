import type { ModelProtocol } from '@fleet/contracts/models';

/** Error responses of a scripted model that have a status. */
export const modelErrors = [
  'rate_limit',
  'rate_limit_later',
  'quota',
  'auth',
  'server_error',
  'overloaded',
  'gateway_404',
  'overflow',
  'bad_request',
] as const;
export type ModelError = (typeof modelErrors)[number];

/** One of the protocols, in its server's format. */
export interface ModelWire {
  readonly contentType: string;
  /** Matches requests of this protocol. */
  readonly path: RegExp;
  readonly begin: string;
  piece(text: string): string;
  thought(text: string): string;
  /** With 120 tokens of input and 34 of output. */
  end(finish: 'stop' | 'length' | 'refused'): string;
  /** Keep-alive data, which is not content. */
  readonly keepAlive: string;
  /** Long data that is not content. */
  readonly garbage: string;
  /** An error in the middle of a stream. */
  readonly streamError: string;
  error(kind: ModelError): { readonly status: number; readonly body: string };
}

const statusOf: Readonly<Record<ModelError, number>> = {
  rate_limit: 429,
  rate_limit_later: 429,
  quota: 429,
  auth: 401,
  server_error: 500,
  overloaded: 503,
  gateway_404: 404,
  overflow: 400,
  bad_request: 400,
};

type ErrorTexts = Readonly<Record<ModelError, readonly [type: string, message: string]>>;

const json = JSON.stringify;
const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${json(data)}\n\n`;

const comment = `: ${'x'.repeat(60_000)}\n\n`;

const openaiWords: ErrorTexts = {
  rate_limit: ['rate_limit_exceeded', 'Rate limit reached for requests'],
  rate_limit_later: ['rate_limit_exceeded', 'Rate limit reached for requests'],
  quota: ['insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.'],
  auth: ['invalid_api_key', 'Incorrect API key provided.'],
  server_error: ['server_error', 'The server had an error while processing your request.'],
  overloaded: ['server_error', 'The engine is currently overloaded, please try again later.'],
  gateway_404: ['not_found', 'no healthy upstream'],
  overflow: ['context_length_exceeded', "This model's maximum context length is 8192 tokens."],
  bad_request: ['invalid_request_error', "Unsupported parameter: 'temperature'."],
};

const chunk = (choices: readonly unknown[], more: object = {}): string =>
  sse({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices, ...more });

const openai: ModelWire = {
  contentType: 'text/event-stream; charset=utf-8',
  path: /^\/v1\/chat\/completions$/,
  begin: chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  piece: (content) => chunk([{ index: 0, delta: { content }, finish_reason: null }]),
  thought: (text) => chunk([{ index: 0, delta: { reasoning_content: text }, finish_reason: null }]),
  end: (finish) =>
    [
      ...(finish === 'refused'
        ? [chunk([{ index: 0, delta: { refusal: 'I cannot help.' }, finish_reason: null }])]
        : []),
      chunk([{ index: 0, delta: {}, finish_reason: finish === 'length' ? 'length' : 'stop' }]),
      chunk([], { usage: { prompt_tokens: 120, completion_tokens: 34, total_tokens: 154 } }),
      'data: [DONE]\n\n',
    ].join(''),
  keepAlive: ': keep-alive\n\n',
  garbage: comment,
  streamError: sse({ error: { type: 'server_error', message: 'The server had an error.' } }),
  error: (kind) => {
    const [code, message] = openaiWords[kind];
    return { status: statusOf[kind], body: json({ error: { message, type: code, code, param: null } }) };
  },
};

const anthropicWords: ErrorTexts = {
  rate_limit: ['rate_limit_error', 'This request would exceed your rate limit.'],
  rate_limit_later: ['rate_limit_error', 'This request would exceed your rate limit.'],
  quota: ['invalid_request_error', 'Your credit balance is too low to access the API.'],
  auth: ['authentication_error', 'invalid x-api-key'],
  server_error: ['api_error', 'Internal server error'],
  overloaded: ['overloaded_error', 'Overloaded'],
  gateway_404: ['not_found_error', 'no healthy upstream'],
  overflow: ['invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  bad_request: ['invalid_request_error', 'temperature: Extra inputs are not permitted'],
};
const anthropicStatus: Partial<Record<ModelError, number>> = { quota: 400, overloaded: 529 };
const anthropicFinish = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal' } as const;

const anthropic: ModelWire = {
  contentType: 'text/event-stream; charset=utf-8',
  path: /^\/v1\/messages$/,
  begin: sse(
    {
      type: 'message_start',
      message: { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 120, output_tokens: 1 } },
    },
    'message_start',
  ),
  piece: (text) =>
    sse({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }, 'content_block_delta'),
  thought: (thinking) =>
    sse({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } }, 'content_block_delta'),
  end: (finish) =>
    sse(
      { type: 'message_delta', delta: { stop_reason: anthropicFinish[finish] }, usage: { output_tokens: 34 } },
      'message_delta',
    ) + sse({ type: 'message_stop' }, 'message_stop'),
  keepAlive: sse({ type: 'ping' }, 'ping'),
  garbage: comment,
  streamError: sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error'),
  error: (kind) => {
    const [type, message] = anthropicWords[kind];
    return {
      status: anthropicStatus[kind] ?? statusOf[kind],
      body: json({ type: 'error', error: { type, message } }),
    };
  },
};

const googleWords: ErrorTexts = {
  rate_limit: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  rate_limit_later: [
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  quota: ['RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'],
  auth: ['UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  server_error: ['INTERNAL', 'An internal error has occurred.'],
  overloaded: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  gateway_404: ['NOT_FOUND', 'no healthy upstream'],
  overflow: [
    'INVALID_ARGUMENT',
    'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  bad_request: ['INVALID_ARGUMENT', 'Invalid value at generation_config.'],
};
const googleFinish = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY' } as const;
const parts = (list: readonly object[], more: object = {}): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts: list }, ...more }],
});

const google: ModelWire = {
  contentType: 'text/event-stream',
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
  begin: '',
  piece: (text) => sse(parts([{ text }])),
  thought: (text) => sse(parts([{ text, thought: true }])),
  end: (finish) =>
    sse({
      ...parts([], { finishReason: googleFinish[finish] }),
      usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 30, thoughtsTokenCount: 4 },
    }),
  keepAlive: ': keep-alive\n\n',
  garbage: comment,
  streamError: sse({ error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } }),
  error: (kind) => {
    const [status, message] = googleWords[kind];
    const later = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' };
    const details = kind === 'rate_limit_later' ? [later] : [];
    return { status: statusOf[kind], body: json({ error: { code: statusOf[kind], message, status, details } }) };
  },
};

const ollamaWords: Readonly<Record<ModelError, string>> = {
  rate_limit: 'too many requests',
  rate_limit_later: 'too many requests',
  quota: 'insufficient_quota: you have reached your weekly limit',
  auth: 'unauthorized',
  server_error: 'llama runner process has terminated',
  overloaded: 'server busy, please try again. maximum pending requests exceeded',
  gateway_404: "model 'scripted' not found",
  overflow: 'the request exceeds the available context size',
  bad_request: 'invalid options: num_ctx',
};
const line = (value: object): string => `${json({ model: 'scripted', ...value })}\n`;

const ollama: ModelWire = {
  contentType: 'application/x-ndjson',
  path: /^\/api\/chat$/,
  begin: '',
  piece: (content) => line({ message: { role: 'assistant', content }, done: false }),
  thought: (thinking) => line({ message: { role: 'assistant', content: '', thinking }, done: false }),
  // Ollama cannot express a refusal: its model writes it as text.
  end: (finish) =>
    line({
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: finish === 'length' ? 'length' : 'stop',
      prompt_eval_count: 120,
      eval_count: 34,
    }),
  keepAlive: '\n',
  garbage: `${' '.repeat(60_000)}\n`,
  streamError: line({ error: 'an error was encountered while running the model: server_error' }),
  error: (kind) => ({ status: statusOf[kind], body: json({ error: ollamaWords[kind] }) }),
};

export const modelWires: Readonly<Record<ModelProtocol, ModelWire>> = { openai, anthropic, google, ollama };
