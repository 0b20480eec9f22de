import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A request that is longer than the model's context. */
export class Overflow extends Error {}

/** llama.cpp with one model and one context, which serves one request at a time. */
export class LocalLlama {
  #turn = Promise.resolve();

  constructor({ llama, model, sequence, chat }) {
    this.llama = llama;
    this.model = model;
    this.sequence = sequence;
    this.chat = chat;
  }

  /** @param packages folder with node_modules in it */
  static async load(packages, file, contextTokens) {
    const found = createRequire(path.join(packages, 'package.json')).resolve('node-llama-cpp');
    const { getLlama, LlamaChat } = await import(pathToFileURL(found).href);
    const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error' });
    const model = await llama.loadModel({ modelPath: file });
    // Threads of llama.cpp busy-wait for each other: on shared CPUs two threads are slower than one, up to a hundred times.
    const sequence = (await model.createContext({ contextSize: contextTokens, threads: 1 })).getSequence();
    return new LocalLlama({ llama, model, sequence, chat: new LlamaChat({ contextSequence: sequence }) });
  }

  /**
   * Generates the continuation of a conversation.
   * @param schema JSON schema that the answer follows; `onText` receives each chunk of it
   * @returns `finish` (`stop` or `length`) and both counts of tokens
   */
  generate({ messages, maxTokens, temperature, schema, signal, onText }) {
    const mine = this.#turn.then(async () => {
      signal.throwIfAborted();
      const history = [...messages, { type: 'model', response: [] }];
      const inputTokens = this.#tokensOf(history);
      const room = this.sequence.context.contextSize - inputTokens;
      if (room < maxTokens)
        throw new Overflow(
          `This model's maximum context length is ${this.sequence.context.contextSize} tokens, and ${inputTokens} in the messages ` +
            `with ${maxTokens} for the answer exceed it`,
        );
      let outputTokens = 0;
      const { metadata } = await this.chat.generateResponse(history, {
        signal,
        maxTokens,
        temperature,
        // Otherwise a model this small repeats itself endlessly.
        repeatPenalty: { penalty: 1.2 },
        onTextChunk: onText,
        onToken: (tokens) => (outputTokens += tokens.length),
        ...(schema !== undefined && { grammar: await this.llama.createGrammarForJsonSchema(schema) }),
      });
      return { finish: metadata.stopReason === 'maxTokens' ? 'length' : 'stop', inputTokens, outputTokens };
    });
    this.#turn = mine.then(
      () => undefined,
      () => undefined, // The caller receives the error; the next request starts.
    );
    return mine;
  }

  #tokensOf(chatHistory) {
    const { contextText } = this.chat.chatWrapper.generateContextState({ chatHistory });
    return contextText.tokenize(this.model.tokenizer).length;
  }
}
