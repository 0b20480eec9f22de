#!/usr/bin/env node
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSecret } from './read-secret';
import { runCli } from './run-cli';
import type { Terminal } from './terminal';

/** A user without a passwd entry (for example in a container) has no name. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'syscall') === 'uv_os_get_passwd') return '';
    throw error;
  }
};

const interrupt = new AbortController();
// The second Ctrl-C ends the process at once.
process.once('SIGINT', () => interrupt.abort());
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `phx list | head`: the reader has closed the pipe, which is not an error.
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

const stopRequested = (): AbortSignal => {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  return AbortSignal.any([stop.signal, interrupt.signal]);
};

/** On standard error, so that standard output stays a document. Ctrl-C and the end of input are not an answer. */
const ask = async (question: string): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.close();
  }
};

// A key must not be an option, and this client loads no configuration of services.
// oxlint-disable-next-line fleet/no-environment
const environment = process.env;
const {
  FLEET_API_KEY: apiKey,
  FLEET_KNOWLEDGE_DIR: knowledgeFolder,
  XDG_CONFIG_HOME: configFolder,
  XDG_STATE_HOME: stateFolder,
} = environment;

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  live: process.stdout.isTTY,
  colors: process.stdout.isTTY && process.stdout.hasColors(),
  columns: () => process.stdout.columns,
  cwd: process.cwd(),
  user: userName(),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
  readSecret,
  ...(apiKey !== undefined && apiKey !== '' && { apiKey }),
  knowledgeFolder,
  configFolder: configFolder === undefined || configFolder === '' ? join(homedir(), '.config') : configFolder,
  stateFolder: stateFolder === undefined || stateFolder === '' ? join(homedir(), '.local', 'state') : stateFolder,
  interrupted: interrupt.signal,
  stopRequested,
  pause: (ms, signal = interrupt.signal) => sleep(ms, undefined, { signal }),
};

void runCli(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
