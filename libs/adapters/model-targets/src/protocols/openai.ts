import type { Finish, Piece, Protocol } from '../piece';
import type OpenAI from 'openai';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
/** vLLM and others send thoughts beside the content, in fields outside the protocol. */
type Delta = Chunk['choices'][number]['delta'] & {
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
};

const finishOf = (reason: string | null | undefined): Finish | undefined => {
  if (reason === null || reason === undefined) return undefined;
  if (reason === 'content_filter') return 'refused';
  return reason === 'length' ? 'length' : 'stop';
};

const deltaPiece = (delta: Delta = {}): Piece => ({
  text: delta.content ?? '',
  thinking: delta.reasoning_content ?? delta.reasoning ?? '',
});

const pieceOf = ({ choices, usage }: Chunk): Piece => {
  const [choice] = choices;
  const refusal = choice?.delta.refusal ?? '';
  return {
    ...deltaPiece(choice?.delta),
    finish: refusal === '' ? finishOf(choice?.finish_reason) : 'refused',
    usage: { inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens },
  };
};

/** OpenAI's chat completions, as used by all compatible servers. */
export const askOpenai: Protocol = async function* (settings, { messages, answer }, { fetch, signal }) {
  const { OpenAI: Client } = await import('openai');
  const client = new Client({
    apiKey: settings.key ?? 'none',
    baseURL: settings.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
  });
  const stream = await client.chat.completions.create(
    {
      model: settings.model,
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: settings.maxOutputTokens,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(answer !== undefined &&
        settings.sendsSchema && {
          response_format: {
            type: 'json_schema',
            json_schema: { name: answer.name, schema: { ...answer.schema }, strict: true },
          },
        }),
    },
    { signal },
  );
  let refused = false;
  for await (const chunk of stream) {
    const piece = pieceOf(chunk);
    refused ||= piece.finish === 'refused';
    // A refusal ends with `stop`.
    yield refused ? { ...piece, finish: 'refused' } : piece;
  }
};
