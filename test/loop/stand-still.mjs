// `node --import '…/stand-still.mjs' app.js`: when the first job is about to be added to its queue, the process says so and stands still
// (SIGSTOP), so that a test kills it exactly there.
import { writeSync } from 'node:fs';
import { Queue } from 'bullmq';

const { addBulk } = Queue.prototype;
Queue.prototype.addBulk = function (...given) {
  writeSync(1, 'stands still at queue\n');
  process.kill(process.pid, 'SIGSTOP');
  return addBulk.apply(this, given);
};
