import type Anthropic from '@anthropic-ai/sdk';
import type { Finish, Piece, Protocol } from '../piece';

const finishOf = (reason: string | null): Finish | undefined => {
  if (reason === null) return undefined;
  if (reason === 'refusal') return 'refused';
  if (reason === 'model_context_window_exceeded') return 'overflow';
  return reason === 'max_tokens' ? 'length' : 'stop';
};

const pieceOf = (event: Anthropic.Messages.RawMessageStreamEvent): Piece => {
  if (event.type === 'message_start')
    return { usage: { inputTokens: event.message.usage.input_tokens, outputTokens: undefined } };
  if (event.type === 'message_delta')
    return {
      finish: finishOf(event.delta.stop_reason),
      usage: { inputTokens: event.usage.input_tokens ?? undefined, outputTokens: event.usage.output_tokens },
    };
  if (event.type !== 'content_block_delta') return {};
  if (event.delta.type === 'text_delta') return { text: event.delta.text };
  return event.delta.type === 'thinking_delta' ? { thinking: event.delta.thinking } : {};
};

/** Anthropic's messages. The response schema is not sent: older models reject it. */
export const askAnthropic: Protocol = async function* (settings, { messages }, { fetch, signal }) {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  const client = new Client({
    apiKey: settings.key ?? 'none',
    baseURL: settings.baseUrl,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch,
  });
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const stream = await client.messages.create(
    {
      model: settings.model,
      stream: true,
      max_tokens: settings.maxOutputTokens,
      system: system.join('\n\n'),
      messages: messages.flatMap(({ role, text }) => (role === 'system' ? [] : [{ role, content: text }])),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
    },
    { signal },
  );
  for await (const event of stream) yield pieceOf(event);
};
