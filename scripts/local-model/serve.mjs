// Serves a local language model on 127.0.0.1 with OpenAI's chat completions API: for tests with real tokens, and for trying the service with a
// model. Handles one request at a time, in order of arrival. Writes its base URL to standard output once it accepts requests.
import http from 'node:http';
import { parseArgs } from 'node:util';
import { answerChat } from './chat.mjs';
import { LocalLlama } from './local-llama.mjs';

const { values } = parseArgs({
  options: {
    packages: { type: 'string' },
    model: { type: 'string' },
    'context-tokens': { type: 'string', default: '8192' },
    port: { type: 'string', default: '0' },
  },
});
if (values.packages === undefined || values.model === undefined)
  throw new Error('usage: serve.mjs --packages FOLDER --model FILE.gguf [--context-tokens 8192] [--port 0]');

const llama = await LocalLlama.load(values.packages, values.model, Number(values['context-tokens']));
const server = http.createServer((request, response) => void answerChat(llama, request, response));
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`);
});
const end = () => process.exit(0);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
// The parent process holds the other end, so this server never outlives it.
process.stdin.on('end', end).resume();
