import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A request that is longer than the model's context. */
export class Overflow extends Error {}

/** llama.cpp with one model and one context, which one request at a time has. */
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
    // Threads of llama.cpp wait for each other at full speed: on processors that others use as well, two are slower than one, a hundred times.
    const sequence = (await model.createContext({ contextSize: contextTokens, threads: 1 })).getSequence();
    return new LocalLlama({ llama, model, sequence, chat: new LlamaChat({ contextSequence: sequence }) });
  }

  /**
   * Says what follows a conversation.
   * @param schema JSON schema that the answer keeps to; `onText`: each piece of it
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
        // A model this small says the same again and again otherwise.
        repeatPenalty: { penalty: 1.2 },
        onTextChunk: onText,
        onToken: (tokens) => (outputTokens += tokens.length),
        ...(schema !== undefined && { grammar: await this.llama.createGrammarForJsonSchema(schema) }),
      });
      return { finish: metadata.stopReason === 'maxTokens' ? 'length' : 'stop', inputTokens, outputTokens };
    });
    this.#turn = mine.then(
      () => undefined,
      () => undefined, // It is told to whoever asked; the next one begins.
    );
    return mine;
  }

  #tokensOf(chatHistory) {
    const { contextText } = this.chat.chatWrapper.generateContextState({ chatHistory });
    return contextText.tokenize(this.model.tokenizer).length;
  }
}
