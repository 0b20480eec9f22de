import type { GenerateContentResponse } from '@google/genai';
import type { Finish, Piece, Protocol } from '../piece';

const finishOf = (reason: string | undefined, blocked: string | undefined): Finish | undefined => {
  if (blocked !== undefined) return 'refused';
  if (reason === undefined || reason === 'FINISH_REASON_UNSPECIFIED') return undefined;
  if (reason === 'MAX_TOKENS') return 'length';
  return reason === 'STOP' ? 'stop' : 'refused';
};

const usageOf = (usage: GenerateContentResponse['usageMetadata']): Piece['usage'] => {
  const written = usage?.candidatesTokenCount;
  const outputTokens = written === undefined ? undefined : written + (usage?.thoughtsTokenCount ?? 0);
  return { inputTokens: usage?.promptTokenCount, outputTokens };
};

const pieceOf = ({ candidates, promptFeedback, usageMetadata }: GenerateContentResponse): Piece => {
  const [candidate] = candidates ?? [];
  const parts = candidate?.content?.parts ?? [];
  const written = (isThought: boolean): string =>
    parts
      .filter(({ thought }) => (thought === true) === isThought)
      .map(({ text }) => text ?? '')
      .join('');
  return {
    text: written(false),
    thinking: written(true),
    finish: finishOf(candidate?.finishReason, promptFeedback?.blockReason),
    ...(usageMetadata !== undefined && { usage: usageOf(usageMetadata) }),
  };
};

/** Google's Gemini API; Vertex AI is not supported. */
export const askGoogle: Protocol = async function* (settings, { messages, answer }, { fetch, signal }) {
  const { GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    apiKey: settings.key ?? 'none',
    vertexai: false,
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: settings.baseUrl, retryOptions: { attempts: 1 }, fetch },
  });
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  const stream = await client.models.generateContentStream({
    model: settings.model,
    contents: messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, text }) => ({ role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] })),
    config: {
      abortSignal: signal,
      maxOutputTokens: settings.maxOutputTokens,
      ...(system.length > 0 && { systemInstruction: system.join('\n\n') }),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(answer !== undefined &&
        settings.sendsSchema && { responseMimeType: 'application/json', responseJsonSchema: answer.schema }),
    },
  });
  for await (const chunk of stream) yield pieceOf(chunk);
};
