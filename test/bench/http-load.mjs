// A client that costs little: some connections, each with one request under way. Answers how many requests per second it got through.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

const { port, connections } = workerData;
const headEnd = Buffer.from('\r\n\r\n');

/** Bytes of the whole answer, or undefined while its head is not there yet. */
const lengthOf = (bytes) => {
  const head = bytes.indexOf(headEnd);
  if (head < 0) return undefined;
  const text = bytes.toString('latin1', 0, head);
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`not an answer to measure: ${text.split('\r\n')[0]}`);
  const length = /content-length: (\d+)/i.exec(text);
  if (length === null) throw new Error('an answer without a length');
  return head + headEnd.length + Number(length[1]);
};

/** Asks for the path again and again until the time is over; gives the number of answers. */
const ask = (path, until) =>
  new Promise((resolve, reject) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let bytes = Buffer.alloc(0);
    let answers = 0;
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (piece) => {
      bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece]);
      const length = lengthOf(bytes);
      if (length === undefined || bytes.length < length) return;
      bytes = bytes.subarray(length);
      answers += 1;
      if (performance.now() < until) return void socket.write(request);
      socket.destroy();
      resolve(answers);
    });
  });

parentPort.on('message', async ({ path, ms }) => {
  const start = performance.now();
  const counts = await Promise.all(Array.from({ length: connections }, () => ask(path, start + ms)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  parentPort.postMessage(answers / ((performance.now() - start) / 1000));
});
