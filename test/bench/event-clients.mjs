// Cheap clients of the event stream of many sessions. Each counts the events that it receives and measures their latency. A message is
// `<number> <milliseconds since the epoch>`.
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

const { clients } = workerData;
const now = () => performance.timeOrigin + performance.now();
const messagePattern = /"message":"(\d+) ([\d.]+)"/g;
const idPattern = /^id: (.+)$/gm;

const all = Array.from({ length: clients }, () => ({
  heard: [],
  lastId: undefined,
  socket: undefined,
  ready: undefined,
}));
let latencies = [];

/** Whole blocks of what has arrived; the rest waits. */
const read = (client, text) => {
  client.rest += text;
  const end = client.rest.lastIndexOf('\n\n');
  if (end < 0) return;
  const blocks = client.rest.slice(0, end + 2);
  client.rest = client.rest.slice(end + 2);
  const at = now();
  for (const [, number, sentAt] of blocks.matchAll(messagePattern)) {
    client.heard.push(Number(number));
    latencies.push(at - Number(sentAt));
  }
  for (const [, id] of blocks.matchAll(idPattern)) client.lastId = id;
};

const open = (client, port) =>
  new Promise((resolve, reject) => {
    const resume = client.lastId === undefined ? '' : `Last-Event-ID: ${client.lastId}\r\n`;
    client.rest = '';
    client.socket = connect(port, '127.0.0.1', () => {
      client.socket.write(`GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${resume}\r\n`);
    });
    client.socket.setEncoding('utf8');
    client.socket.on('error', (error) => (client.isLeft ? undefined : reject(error)));
    client.socket.on('data', (text) => {
      if (!text.startsWith('HTTP/1.1')) return read(client, text);
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.split('\r\n')[0]));
      read(client, text);
      return resolve();
    });
  });

const commands = {
  open: async ({ port }) => {
    // A few at a time, or their connections would be refused.
    for (let from = 0; from < clients; from += 100)
      await Promise.all(all.slice(from, from + 100).map((client) => open(client, port)));
  },
  leave: () => {
    for (const client of all) {
      client.isLeft = true;
      client.socket.destroy();
      client.isLeft = false;
    }
  },
  latencies: () => {
    const sorted = latencies.sort((one, other) => one - other);
    latencies = [];
    return { count: sorted.length, p95: sorted[Math.floor(sorted.length * 0.95)] };
  },
  /** Clients that have not heard each number once, in order. */
  gaps: ({ until }) =>
    all.filter(({ heard }) => heard.length !== until || heard.some((number, index) => number !== index)).length,
};

parentPort.on('message', async ({ command, ...more }) => {
  try {
    parentPort.postMessage({ answer: await commands[command](more) });
  } catch (error) {
    parentPort.postMessage({ error: error.message });
  }
});
