import { spawnSync } from 'node:child_process';

/** Of prctl(2). */
const [setChildSubreaper, getChildSubreaper] = [36, 37];

/** prctl's number where Node runs (syscalls(2)); Perl has no name for it. */
const prctlNumbers: Readonly<Record<string, number>> = { x64: 157, arm64: 167, ppc64: 171, s390x: 172 };

/**
 * Programs that make the process that they become the parent of all orphans below it, which survives exec(2), and say `1` when it was taken. Node
 * itself has no call for it. Python comes without the environment's own paths, which are a program's.
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
 * What a supervisor is started by, so that the processes which a program leaves behind become its children and end with the run, whatever they
 * have done to their environment, group and parents: arguments to put before its own command. Empty where neither Perl nor Python is found
 * along the environment's PATH, or where the system does not grant it.
 */
export const adoptingOrphans = (environment: Readonly<Record<string, string>>): readonly string[] => {
  for (const launcher of launchers()) {
    const [file = '', ...rest] = launcher;
    const trial = spawnSync(file, rest, { env: environment, encoding: 'utf8', timeout: trialMs, stdio: 'pipe' });
    if (trial.status === 0 && trial.stdout === '1') return launcher;
  }
  return [];
};
