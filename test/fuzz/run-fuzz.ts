import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sourceThreadArguments } from '@fleet/testing';
import type { FuzzAnswer, FuzzInput } from './fuzz-thread.main';
import { Dice, mutated } from './mutations';
import { samplesOf, type TargetName } from './samples';

/** An input that a reader did not cope with. */
interface Finding {
  readonly target: TargetName;
  readonly what: string;
  /** The input, kept for whoever fixes it. */
  readonly file: string;
}

export interface FuzzReport {
  readonly seed: number;
  readonly inputs: number;
  readonly findings: readonly Finding[];
  /** Of one input, processor time in milliseconds. */
  readonly slowest: Readonly<Partial<Record<TargetName, number>>>;
  /** Of the whole process, in MiB. */
  readonly growth: number;
}

const root = resolve(__dirname, '../..');
/** Processor time that one input may take. Milliseconds. */
const maxMs = 2_000;
/** The knowledge is its operators' own, and one file of it means reading all of it. Milliseconds. */
const maxMsOfKnowledge = 10_000;
/** Its inputs take a hundred times as long as others: of each other reader there are so many for one of it. */
const othersPerKnowledge = 5;
/** When a reader is ended, however busy the machine is. Milliseconds. */
const hangMs = 120_000;
const maxMib = 256;
const mib = 1_048_576;
/** Inputs of real size: bodies have a limit, the knowledge is its operators'. Bytes. */
const largest: Readonly<Partial<Record<TargetName, number>>> = {
  log: 200_000,
  knowledge: 100_000,
  session: mib,
  submission: mib,
  request: mib,
};

/** The thread that reads; a new one takes its place when an input has ended it. */
class Reader {
  private worker: Worker | undefined;

  /** Why the input is a finding, or what it took. */
  async read(input: FuzzInput): Promise<FuzzAnswer | string> {
    const worker = (this.worker ??= await this.start());
    const stop = new AbortController();
    const answer = once(worker, 'message', { signal: stop.signal }).then(
      ([said]) => said as FuzzAnswer,
      (error: unknown) => `the thread ended: ${String(error)}`,
    );
    const gone = once(worker, 'exit', { signal: stop.signal }).then(
      () => 'the thread ended',
      () => 'the thread ended',
    );
    const late = pause(hangMs, `no answer within ${String(hangMs)} ms`, { signal: stop.signal }).catch(() => 'over');
    worker.postMessage(input);
    const first = await Promise.race([answer, gone, late]);
    stop.abort();
    if (typeof first === 'string') await this.end();
    return first;
  }

  async end(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private async start(): Promise<Worker> {
    const worker = new Worker(join(__dirname, 'fuzz-thread.main.ts'), {
      execArgv: [...sourceThreadArguments],
      resourceLimits: { maxOldGenerationSizeMb: maxMib, maxYoungGenerationSizeMb: 32 },
    });
    await once(worker, 'message');
    return worker;
  }
}

const isSlow = (answer: FuzzAnswer | string, target: TargetName): boolean =>
  typeof answer === 'object' && answer.ms > (target === 'knowledge' ? maxMsOfKnowledge : maxMs);

const whatIsWrong = (answer: FuzzAnswer | string, target: TargetName): string | undefined => {
  if (typeof answer === 'string') return answer;
  if (answer.crash !== undefined) return answer.crash;
  if (isSlow(answer, target)) return `took ${answer.ms.toFixed(0)} ms`;
  return answer.external > maxMib * mib ? `holds ${(answer.external / mib).toFixed(0)} MiB` : undefined;
};

/** A machine with other work beside counts that as ours at times: what is slow is read a second time. */
const answerTo = async (
  reader: Reader,
  input: Parameters<Reader['read']>[0],
): Promise<Awaited<ReturnType<Reader['read']>>> => {
  const first = await reader.read(input);
  return isSlow(first, input.target) ? reader.read(input) : first;
};

const inputOf = ([key, { name, samples }]: ReturnType<typeof weightedSamples>[number], dice: Dice) => {
  const target = key as TargetName;
  return { target, name, bytes: mutated(dice.of<Buffer>(samples), dice).subarray(0, largest[target] ?? Infinity) };
};

/** Samples of the targets, all by default; knowledge is read so slowly that it is drawn less often. */
const weightedSamples = (only: readonly string[]) =>
  Object.entries(samplesOf(root))
    .filter(([name]) => only.length === 0 || only.includes(name))
    .flatMap((sample) =>
      sample[0] === 'knowledge' ? [sample] : Array.from({ length: othersPerKnowledge }, () => sample),
    );

/**
 * Gives the readers of files and requests what nearly is one: so many inputs, or for so long. The seed decides the inputs.
 * @param only targets, all by default
 */
export const runFuzz = async (
  { inputs: most = Infinity, seconds = Infinity }: { readonly inputs?: number; readonly seconds?: number },
  seed: number,
  only: readonly string[] = [],
): Promise<FuzzReport> => {
  const samples = weightedSamples(only);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-findings-'));
  const reader = new Reader();
  const dice = new Dice(seed);
  const findings: Finding[] = [];
  const slowest: Partial<Record<TargetName, number>> = {};
  const before = process.memoryUsage.rss();
  const until = performance.now() + seconds * 1000;
  let [inputs, peak] = [0, before];
  for (; inputs < most && performance.now() < until && findings.length < 20; inputs += 1) {
    const input = inputOf(dice.of(samples), dice);
    const { target, name, bytes } = input;
    const answer = await answerTo(reader, input);
    peak = Math.max(peak, process.memoryUsage.rss());
    if (typeof answer === 'object') slowest[target] = Math.max(slowest[target] ?? 0, answer.ms);
    const what = whatIsWrong(answer, target);
    if (what === undefined) continue;
    const file = join(folder, `${String(findings.length)}-${target}-${name}`);
    writeFileSync(file, bytes);
    findings.push({ target, what, file });
  }
  await reader.end();
  return { seed, inputs, findings, slowest, growth: (peak - before) / mib };
};
