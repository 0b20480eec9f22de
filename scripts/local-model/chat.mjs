// OpenAI's chat completions API over a local model: only what our client sends and reads, streamed or whole. Refuses anything else.
import { randomUUID } from 'node:crypto';
import { Overflow } from './local-llama.mjs';

const maxBodyBytes = 4 * 1024 * 1024;
const roles = { system: 'system', user: 'user', assistant: 'model' };

class Refusal extends Error {
  constructor(status, message, code = 'invalid_request_error') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function bodyOf(request) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > maxBodyBytes) throw new Refusal(413, 'the body is longer than 4 MiB');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}

function messageOf({ role, content }, index) {
  const type = roles[role];
  if (type === undefined || typeof content !== 'string')
    throw new Refusal(400, `messages[${index}] has to have a role (system, user or assistant) and content, a text`);
  return type === 'model' ? { type, response: [content] } : { type, text: content };
}

function maxTokensOf({ max_completion_tokens: current, max_tokens: former }) {
  const maxTokens = current ?? former ?? 512;
  if (Number.isInteger(maxTokens) && maxTokens > 0) return maxTokens;
  throw new Refusal(400, 'max_completion_tokens has to be an integer of at least 1');
}

const schemaOf = ({ response_format: format }) =>
  format?.type === 'json_schema' ? format.json_schema?.schema : undefined;

function parametersOf(body) {
  if (!Array.isArray(body?.messages) || body.messages.length === 0)
    throw new Refusal(400, 'messages has to be a list of at least one message');
  return {
    messages: body.messages.map(messageOf),
    maxTokens: maxTokensOf(body),
    temperature: body.temperature ?? 0,
    schema: schemaOf(body),
    streams: body.stream === true,
  };
}

const send = (response, status, content) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(content));
};

/** Streams an answer in chunks, as server-sent events. */
class Stream {
  #head = {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'SmolLM2-135M-Instruct',
  };

  constructor(response) {
    this.response = response;
  }

  say(content) {
    this.#write({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  }

  end(finish, usage) {
    this.#write({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    this.#write({ choices: [], usage });
    this.response.end('data: [DONE]\n\n');
  }

  #write(more) {
    if (!this.response.headersSent) this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.response.write(
      `data: ${JSON.stringify({ ...this.#head, created: Math.floor(Date.now() / 1000), ...more })}\n\n`,
    );
  }
}

async function complete(llama, request, response) {
  const { streams, ...parameters } = parametersOf(await bodyOf(request));
  const stream = new Stream(response);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  let text = '';
  const onText = (piece) => {
    text += piece;
    if (streams) stream.say(piece);
  };
  const { finish, inputTokens, outputTokens } = await llama.generate({ ...parameters, signal: gone.signal, onText });
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  if (streams) return stream.end(finish, usage);
  const message = { role: 'assistant', content: text };
  return send(response, 200, {
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage,
  });
}

const refusalOf = (error) => {
  if (error instanceof Refusal) return error;
  if (error instanceof Overflow) return new Refusal(400, error.message, 'context_length_exceeded');
  process.stderr.write(`${error.stack}\n`);
  return new Refusal(500, error.message, 'server_error');
};

/** Answers one request; never rejects. */
export async function answerChat(llama, request, response) {
  try {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
      throw new Refusal(404, 'there is POST /v1/chat/completions alone');
    await complete(llama, request, response);
  } catch (error) {
    if (response.closed || response.destroyed) return;
    const { status, code, message } = refusalOf(error);
    if (response.headersSent) response.destroy();
    else send(response, status, { error: { message, code, type: code } });
  }
}
