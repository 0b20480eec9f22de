import type { Finish, Piece, Protocol } from '../piece';

/** The fields of a line of Ollama's response that are read. */
interface Line {
  readonly message?: { readonly content?: string; readonly thinking?: string };
  readonly done?: boolean;
  readonly done_reason?: string;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly error?: string;
}

/** Ollama truncates long messages silently: then it has read as many tokens as the context holds. */
const finishOf = (
  { done, done_reason: reason, prompt_eval_count: read = 0 }: Line,
  room: number,
): Finish | undefined => {
  if (done !== true) return undefined;
  if (read >= room) return 'overflow';
  return reason === 'length' ? 'length' : 'stop';
};

const pieceOf = (line: Line, room: number): Piece => {
  if (line.error !== undefined) throw new Error(line.error);
  return {
    text: line.message?.content,
    thinking: line.message?.thinking,
    finish: finishOf(line, room),
    usage: { inputTokens: line.prompt_eval_count, outputTokens: line.eval_count },
  };
};

async function* linesOf(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body ?? []) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

/** Ollama's own protocol: its `/v1` does not report the context length. */
export const askOllama: Protocol = async function* (settings, { messages, answer }, { fetch }) {
  const { contextTokens, maxOutputTokens, temperature } = settings;
  const response = await fetch(`${settings.baseUrl}/api/chat`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(settings.key !== undefined && { authorization: `Bearer ${settings.key}` }),
    },
    body: JSON.stringify({
      model: settings.model,
      stream: true,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      options: {
        num_ctx: contextTokens,
        num_predict: maxOutputTokens,
        ...(temperature !== undefined && { temperature }),
      },
      ...(answer !== undefined && settings.sendsSchema && { format: answer.schema }),
    }),
  });
  for await (const line of linesOf(response.body)) yield pieceOf(JSON.parse(line) as Line, contextTokens);
};
