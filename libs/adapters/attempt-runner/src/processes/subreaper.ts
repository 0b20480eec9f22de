import { spawnSync } from 'node:child_process';

/** Of prctl(2). */
const [setChildSubreaper, getChildSubreaper] = [36, 37];

/** Syscall number of prctl on Node's architectures (syscalls(2)); Perl has no name for it. */
const prctlNumbers: Readonly<Record<string, number>> = { x64: 157, arm64: 167, ppc64: 171, s390x: 172 };

/**
 * Programs that make their own process a subreaper, which survives exec(2), and print `1` on success. Node has no call
 * for it. Python starts without the environment's own paths, which belong to the program.
 */
const launchers = (): readonly (readonly string[])[] => {
  const prctl = prctlNumbers[process.arch];
  const perl =
    prctl === undefined
      ? []
      : [
          [
            'perl',
            '-e',
            `my $set = "\\0" x 8; syscall(${String(prctl)}, ${String(setChildSubreaper)}, 1, 0, 0, 0); syscall(${String(prctl)}, ${String(getChildSubreaper)}, $set); ` +
              'if (!@ARGV) { print unpack("i", $set); exit 0 } exec { $ARGV[0] } @ARGV; exit 127',
          ],
        ];
  const python = [
    'python3',
    '-I',
    '-S',
    '-c',
    'import ctypes,os,sys\n' +
      'libc = ctypes.CDLL(None)\n' +
      'is_set = ctypes.c_int(0)\n' +
      `libc.prctl(${String(setChildSubreaper)}, 1, 0, 0, 0)\n` +
      `libc.prctl(${String(getChildSubreaper)}, ctypes.byref(is_set), 0, 0, 0)\n` +
      'if len(sys.argv) == 1: sys.stdout.write(str(is_set.value)); sys.exit(0)\n' +
      'os.execv(sys.argv[1], sys.argv[1:])',
  ];
  return [...perl, python];
};

const trialMs = 10_000;

/**
 * Command prefix that makes the supervisor a subreaper: processes that a program leaves behind become its children and
 * end with the run, whatever they did to their environment, group and parents. Empty if neither Perl nor Python is on
 * the environment's PATH, or if the system refuses.
 */
export const adoptingOrphans = (environment: Readonly<Record<string, string>>): readonly string[] => {
  for (const launcher of launchers()) {
    const [file = '', ...rest] = launcher;
    const trial = spawnSync(file, rest, { env: environment, encoding: 'utf8', timeout: trialMs, stdio: 'pipe' });
    if (trial.status === 0 && trial.stdout === '1') return launcher;
  }
  return [];
};
