import type { ClusterGround } from '../cluster-e2e/cluster-ground';

/** A pod that a connection is tried from. */
export interface Source {
  readonly namespace: string;
  readonly pod: string;
}

/** What it is tried to: `host:port` over TCP, or a name that is to be resolved. */
export type Target = string;

/** In one container: each argument is tried once; three seconds without an answer are one. */
const attempt = `
const net = require('node:net');
const dns = require('node:dns');
const connects = (target) => new Promise((resolve) => {
  const at = target.lastIndexOf(':');
  const socket = net.connect({ host: target.slice(0, at), port: Number(target.slice(at + 1)) });
  const end = (passes) => { socket.destroy(); resolve(passes); };
  socket.setTimeout(3000, () => end(false));
  socket.on('connect', () => end(true));
  socket.on('error', () => end(false));
});
const resolves = (name) => new Promise((resolve) => dns.lookup(name, (error) => resolve(!error)));
Promise.all(process.argv.slice(1).map((target) => (target.includes(':') ? connects(target) : resolves(target))))
  .then((answers) => console.log(JSON.stringify(answers)));
`;

/** Which targets answer a source. A target that is undefined is not tried. */
export const tried = async (
  ground: ClusterGround,
  { namespace, pod }: Source,
  targets: readonly (Target | undefined)[],
): Promise<readonly (boolean | undefined)[]> => {
  const asked = targets.filter((target) => target !== undefined);
  const line = ['exec', `--namespace=${namespace}`, pod, '--', 'node', '--eval', attempt, ...asked];
  const answers = JSON.parse(await ground.kubectl(...line)) as readonly boolean[];
  let next = 0;
  return targets.map((target) => (target === undefined ? undefined : answers[next++]));
};

const marks = new Map([
  [true, '+'],
  [false, '-'],
  [undefined, '.'],
]);

/** A row of the table of flows: `+` passes, `-` is refused, `.` is the source itself. */
export const rowOf = (answers: readonly (boolean | undefined)[]): string =>
  answers.map((answer) => marks.get(answer)).join(' ');
