// `node --import '…/stand-still.mjs?at=POINT' app.js`: at that point the process says so and stands still (SIGSTOP), so that a test kills it exactly there.
//   queue            when the first job is about to be added to its queue
//   log              when a program's log has been read this far: `&bytes=N` (Linux: it looks up which file a handle is of)
import { Queue } from 'bullmq';
import { readlinkSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const { searchParams } = new URL(import.meta.url);
const point = searchParams.get('at');

const standStill = () => {
  writeSync(1, `stands still at ${point}\n`);
  process.kill(process.pid, 'SIGSTOP');
};

const beforeQueue = () => {
  const { addBulk } = Queue.prototype;
  Queue.prototype.addBulk = function (...given) {
    standStill();
    return addBulk.apply(this, given);
  };
};

const withinLog = async (bytes) => {
  const handle = await open(fileURLToPath(new URL(import.meta.url)));
  const handles = Object.getPrototypeOf(handle);
  await handle.close();
  const { read } = handles;
  handles.read = function (buffer, offset, length, position) {
    if (position >= bytes && readlinkSync(`/proc/self/fd/${this.fd}`).endsWith('/program.log')) standStill();
    return read.call(this, buffer, offset, length, position);
  };
};

if (point === 'queue') beforeQueue();
else if (point === 'log') await withinLog(Number(searchParams.get('bytes')));
else throw new Error(`there is no point ${point}`);
