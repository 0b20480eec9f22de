// Jest's runner of all tests (jest.config.mjs): jest-light-runner with processes as workers, without a race of its version 0.8. A worker
// requests its data once, before its first file. There the response goes to each worker with a file, so also to one that does not listen
// yet; its own request then has no response, and the run hangs.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import runner from 'jest-light-runner/child-process';

const ownModules = createRequire(import.meta.resolve('jest-light-runner'));
const { default: Tinypool } = await import(pathToFileURL(ownModules.resolve('tinypool')).href);
const { run } = Tinypool.prototype;

/** A channel for one worker: only the worker that requests its data is sent it. */
const channelOfOne = (shared) => {
  let send;
  return {
    onMessage: (listener) => (send = listener),
    postMessage: (message) => {
      shared.onMessage(send);
      shared.postMessage(message);
    },
  };
};

Tinypool.prototype.run = function (file, { channel, ...options }) {
  return run.call(this, file, { ...options, channel: channelOfOne(channel) });
};

export default runner;
