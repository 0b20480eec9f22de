// Clients that ask for the status of a session every few seconds, with the tag of the answer before.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { port, ids, everyMs } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: ids.length });

const poll = (id, tag) =>
  new Promise((resolve, reject) => {
    const headers = tag === undefined ? {} : { 'if-none-match': tag };
    const request = get({ port, host: '127.0.0.1', path: `/v1/sessions/${id}/status`, headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, tag: response.headers.etag ?? tag }));
    });
    request.on('error', reject);
  });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** One client: the first answer is not counted, because it has no tag to send. */
const client = async (id, index, until) => {
  await wait((everyMs * index) / ids.length);
  let { tag } = await poll(id);
  const counts = { asked: 0, unchanged: 0 };
  while (Date.now() + everyMs < until) {
    await wait(everyMs);
    const answer = await poll(id, tag);
    tag = answer.tag;
    counts.asked += 1;
    if (answer.status === 304) counts.unchanged += 1;
    else if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  }
  return counts;
};

parentPort.once('message', async ({ ms }) => {
  const counts = await Promise.all(ids.map((id, index) => client(id, index, Date.now() + ms)));
  agent.destroy();
  const sum = (name) => counts.reduce((all, count) => all + count[name], 0);
  parentPort.postMessage({ asked: sum('asked'), unchanged: sum('unchanged') });
});
