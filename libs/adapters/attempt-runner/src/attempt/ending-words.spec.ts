import { describeEnding, describeFailedStart, describeLoss, type RawEnding } from './ending-words';

const ended = (changes: Partial<RawEnding>) =>
  describeEnding({
    program: 'phenix.refine',
    exitCode: null,
    signal: null,
    endedBecause: undefined,
    limits: { wallClock: 60, memoryMiB: 100, outputBytes: 2 * 1024 * 1024 },
    ...changes,
  });

describe('how a program ended', () => {
  it.each([
    ['SIGSEGV', false],
    ['SIGABRT', false],
    ['SIGBUS', false],
    ['SIGFPE', false],
    ['SIGILL', false],
    ['SIGKILL', true],
    ['SIGTERM', true],
    ['SIGHUP', true],
    ['SIGUSR1', true],
  ])('by %s is an infrastructure failure: %s', (signal, infrastructure) => {
    expect(ended({ signal })).toMatchObject({ kind: 'signalled', signal, infrastructure });
  });

  it.each([
    [137, 'SIGKILL', true],
    [143, 'SIGTERM', true],
    [139, 'SIGSEGV', false],
    [134, 'SIGABRT', false],
  ])('behind a shell with exit code %d is by %s', (exitCode, signal, infrastructure) => {
    const ending = ended({ exitCode });
    expect(ending).toMatchObject({ kind: 'signalled', exitCode, infrastructure });
    expect(ending.message).toContain(signal);
  });

  it('with an exit code is left to the log analysis', () => {
    for (const exitCode of [0, 1, 2, 127, 255]) {
      expect(ended({ exitCode })).toMatchObject({ kind: 'exited', exitCode, infrastructure: false });
    }
  });

  it('at a limit names the limit, whatever the exit code', () => {
    expect(ended({ endedBecause: 'output_limit', exitCode: 0 })).toMatchObject({
      kind: 'output_limit',
      message: 'phenix.refine was ended: its log grew beyond the limit of 2.00 MiB.',
    });
    expect(ended({ endedBecause: 'wall_clock_limit', signal: 'SIGKILL' })).toMatchObject({
      kind: 'wall_clock_limit',
      infrastructure: false,
    });
  });

  it('on a full disk is a disk failure, unless the program succeeded', () => {
    expect(ended({ cause: 'disk_full', exitCode: 1 })).toMatchObject({ kind: 'disk_full', infrastructure: true });
    expect(ended({ cause: 'disk_full', exitCode: 0 })).toMatchObject({ kind: 'exited' });
  });
});

describe('the next action', () => {
  it('is named if the infrastructure ended the program', () => {
    const outcome = ended({ endedBecause: 'stop_requested', signal: 'SIGTERM' });
    expect(outcome).toMatchObject({ kind: 'disrupted', infrastructure: true });
    expect(outcome.nextAction).toBe('It is started again elsewhere.');
    expect(ended({ signal: 'SIGKILL' }).nextAction).toBe('It is started again.');
    expect(ended({ cause: 'disk_full', exitCode: 1 }).nextAction).toContain('free disk space');
    expect(describeLoss('p').nextAction).toBe('It is started again.');
  });

  it('is left to the analysis if the program ended by itself', () => {
    for (const changes of [{ exitCode: 0 }, { exitCode: 1 }, { signal: 'SIGSEGV' }]) {
      expect(ended(changes)).not.toHaveProperty('nextAction');
    }
  });
});

describe('an out-of-memory kill', () => {
  it('is the ending of a program that failed because of it, whatever its exit code', () => {
    for (const changes of [{ signal: 'SIGKILL' }, { exitCode: 137 }, { exitCode: 1 }]) {
      const ending = ended({ cause: 'out_of_memory', ...changes });
      expect(ending).toMatchObject({ kind: 'memory_limit', infrastructure: false, ...changes });
      expect(ending.message).toContain('100 MiB');
    }
  });

  it('is not the ending of a program that succeeded, nor of one that received a stop request', () => {
    expect(ended({ cause: 'out_of_memory', exitCode: 0 }).kind).toBe('exited');
    expect(ended({ cause: 'out_of_memory', exitCode: 1, endedBecause: 'cancelled' }).kind).toBe('cancelled');
  });
});

describe('a failed start', () => {
  const failure = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code });

  it('is an infrastructure failure if no process can be created, but not if the program is missing', () => {
    expect(describeFailedStart('p', '/p', failure('EAGAIN')).infrastructure).toBe(true);
    expect(describeFailedStart('p', '/p', failure('ENOENT'))).toMatchObject({
      kind: 'not_started',
      infrastructure: false,
    });
  });
});
