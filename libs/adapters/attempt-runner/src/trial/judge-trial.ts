import type { Finding } from '@fleet/contracts/administration';
import { finding, levelOf, type Advice } from '@fleet/ports';
import type { CallMade, TrialRecord, Tried } from './trial-record';

/** What is known about a trial besides its record. */
export interface TrialSight {
  readonly record: TrialRecord;
  /** Prefix of the finding names, for example `trial.gpu`. */
  readonly as: string;
  /** The id that the executor wrote into the folder. */
  readonly told: string;
  /** The account that programs run as, and its required groups. */
  readonly wanted: { readonly uid: number; readonly groups: readonly number[] };
  /** Owner of the record as seen by the executor; absent if the executor does not see the record. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** By the executor's clock, in milliseconds since 1970: before the start, and when the record appeared. */
  readonly began: number;
  readonly ended: number;
  /** Whether its node offers GPUs to programs. */
  readonly wantsGpu: boolean;
  /** Endpoints that programs must reach, as host:port. */
  readonly mustReach: readonly string[];
}

/** Judges the record of a trial. */
export const judgeTrial = (sight: TrialSight): readonly Finding[] => [
  userFinding(sight),
  ...workFindings(sight),
  sharedFinding(sight),
  ...ownerFindings(sight),
  ...figureFindings(sight),
  clockFinding(sight),
  ...dataFindings(sight),
  ...gpuFindings(sight),
  ...networkFindings(sight),
];

const userFinding = ({ as, record, wanted }: TrialSight): Finding => {
  const { uid, gid, groups } = record;
  const missing = wanted.groups.filter((group) => group !== gid && !groups.includes(group));
  const seen = `It runs as uid ${String(uid)}, gid ${String(gid)}, groups ${groups.join(', ') || 'none'}`;
  if (uid !== wanted.uid || missing.length > 0) {
    const lacks = missing.length === 0 ? '' : ` and group ${missing.join(', ')}`;
    return finding(`${as}.user`, 'error', `${seen}; uid ${String(wanted.uid)}${lacks} is what the settings require.`, {
      why: 'Programs write into folders of the proposal and of the fleet, which another user may not.',
      remedy: 'Check whether an admission policy of the cluster (Kyverno, Gatekeeper, SCC) changes users of pods.',
    });
  }
  return finding(`${as}.user`, uid === 0 ? 'warning' : 'ok', `${seen}.`, {
    why: 'Other users cannot change files of root, and a faulty program can damage the whole machine.',
    remedy: 'Run programs as a separate user.',
  });
};

const workAdvice: Readonly<Record<Tried['what'], Advice>> = {
  write: {
    why: 'Programs write their results there: each would fail immediately.',
    remedy:
      'Mount the work volume for writing in pods (not readOnly), and let the group of the fleet (identity.fleetGid) write to it.',
  },
  hard_links: {
    why: 'A supervisor claims its attempt by a hard link, so that one that starts twice runs once.',
    remedy: 'Use a file system that has them: ext4, XFS, NFS, Lustre, GPFS; not CIFS or FAT.',
  },
  rename: {
    why: 'The folder of an attempt is published by a rename.',
    remedy: 'Use one file system for the whole work root, not an object store.',
  },
  exclusive: {
    why: 'Exclusive creation of a file decides what must happen only once.',
    remedy: 'Use a file system with exclusive creation (O_EXCL): NFS 3 and later, not an object store.',
  },
};
const workWords: Readonly<Record<Tried['what'], string>> = {
  write: 'Its folder of the work volume can be written to',
  hard_links: 'A file there can have two names (hard links)',
  rename: 'A folder there can be renamed',
  exclusive: 'A file of the same name cannot be created twice there',
};

const workFindings = ({ as, record }: TrialSight): readonly Finding[] =>
  record.work.map(({ what, result }) => {
    const good = workWords[what];
    const isGood = result === 'ok';
    return finding(
      `${as}.work.${what}`,
      isGood ? 'ok' : 'error',
      isGood ? `${good}.` : `Failed: ${good} (${result}).`,
      {
        ...workAdvice[what],
      },
    );
  });

/** Whether executor and trial see the same folder. */
const sharedFinding = ({ as, record, told, owner }: TrialSight): Finding => {
  const advice = {
    why: "The program must see the executor's files, and the executor those of the program.",
    remedy:
      'Mount the same volume under the same path in executors and Jobs (volumes.work, FLEET_WORK_ROOT), and compare subPath.',
  };
  const reads = record.told === told;
  if (reads && owner !== undefined)
    return finding(`${as}.work.shared`, 'ok', 'It and the executor see the same files.', advice);
  const [side, of] = reads ? ['the executor', 'it wrote'] : ['it', 'the executor left'];
  const instead = reads ? '' : ` (${record.told === '' ? 'empty' : record.told})`;
  return finding(`${as}.work.shared`, 'error', `What ${of} there ${side} does not see${instead}.`, advice);
};

const ownerFindings = ({ as, record, owner }: TrialSight): readonly Finding[] => {
  if (owner === undefined) return [];
  const isIts = owner.uid === record.uid;
  const seen = `What it writes belongs to ${String(owner.uid)}:${String(owner.gid)}`;
  return [
    finding(
      `${as}.work.owner`,
      isIts ? 'ok' : 'warning',
      isIts ? `${seen}.` : `${seen}, and it is ${String(record.uid)}.`,
      {
        why: 'Results belong to another user than that of the program: members of the proposal may not be able to read them.',
        remedy: 'Export the work volume without all_squash, with the same user ids on all machines (idmapd).',
      },
    ),
  ];
};

const figureFindings = ({ as, record: { syncMs, serverAheadMs } }: TrialSight): readonly Finding[] => {
  if (syncMs === undefined || serverAheadMs === undefined) return [];
  const s = Math.abs(serverAheadMs) / 1000;
  return [
    finding(
      `${as}.work.sync`,
      levelOf(syncMs, { warning: 200, error: 5_000 }),
      `A sync of a file takes ${syncMs.toFixed(1)} ms.`,
      {
        why: 'Claims and results are synced.',
        remedy: 'Check the load of the file server, and the network between it and the nodes.',
      },
    ),
    finding(
      `${as}.work.clock`,
      levelOf(s, { warning: 5, error: 300 }),
      `The clock of its node and that of the file server differ by ${s.toFixed(1)} s.`,
      clockAdvice,
    ),
  ];
};

const clockAdvice: Advice = {
  why: 'Run times and the order of files follow from the clocks of nodes.',
  remedy: 'Synchronise the clocks of all nodes (chrony, systemd-timesyncd).',
};

/**
 * If the clocks agree, the trial's times are between those of the executor. The distance outside is a lower bound of
 * the clock difference.
 */
const clockFinding = ({ as, record, began, ended }: TrialSight): Finding => {
  const s = Math.max(began - record.startedAt, record.writtenAt - ended, 0) / 1000;
  const level = levelOf(s, { warning: 2, error: 60 });
  const seen =
    level === 'ok'
      ? `The clock of its node agrees with the executor's, as far as is known (within ${((ended - began) / 1000).toFixed(0)} s).`
      : `The clock of its node and that of the executor differ by ${s.toFixed(1)} s or more.`;
  return finding(`${as}.clock`, level, seen, clockAdvice);
};

const dataFindings = ({ as, record: { unreadable } }: TrialSight): readonly Finding[] => {
  const advice = {
    why: 'Programs read the submitted files there.',
    remedy: 'Mount it in Jobs (volumes.data), and let the users of programs read it.',
  };
  if (unreadable.length === 0) return [finding(`${as}.data`, 'ok', 'It can read the data folders.', advice)];
  return unreadable.map(({ folder, result }) =>
    finding(`${as}.data`, 'error', `It cannot read ${folder}: ${result}.`, advice),
  );
};

const gpuFindings = ({ as, record: { gpus }, wantsGpu }: TrialSight): readonly Finding[] => {
  const seen = gpus.length === 0 ? 'It sees no GPU.' : `It sees ${String(gpus.length)} GPU: ${gpus.join('; ')}.`;
  if (wantsGpu) {
    return [
      finding(`${as}.gpus`, gpus.length === 0 ? 'error' : 'ok', seen, {
        why: 'Programs that need a GPU are started there, and would fail or run for days.',
        remedy:
          'Check the driver, the device plugin and the container runtime of these nodes, runtimeClassName and resources of classes.gpu, and that the image finds nvidia-smi.',
      }),
    ];
  }
  return [
    finding(`${as}.gpus`, gpus.length === 0 ? 'ok' : 'warning', seen, {
      why: 'Programs without a GPU request can use it and block those with one.',
      remedy:
        'Do not let images or the runtime expose all GPUs (NVIDIA_VISIBLE_DEVICES=void, the device plugin alone).',
    }),
  ];
};

const networkFindings = (sight: TrialSight): readonly Finding[] => {
  const { as, record, mustReach } = sight;
  const wanted = (call: CallMade): boolean => mustReach.includes(call.what);
  return [
    ...record.calls.map((call) => (wanted(call) ? openFinding(as, call) : closedFinding(as, call))),
    ...record.names.map(({ name, address }) =>
      finding(
        `${as}.network.names`,
        address === undefined ? 'error' : 'ok',
        address === undefined ? `It cannot resolve ${name} (DNS).` : `It resolves ${name}: ${address}.`,
        {
          why: 'Programs must reach it by its name (mustReach).',
          remedy: 'Allow the name server in jobs.egress (port 53, UDP and TCP), or set an IP address.',
        },
      ),
    ),
  ];
};

const openFinding = (as: string, { what, result }: CallMade): Finding =>
  finding(
    `${as}.network.open`,
    result === 'connected' ? 'ok' : 'error',
    result === 'connected' ? `It reaches ${what}.` : `It does not reach ${what}: ${result}.`,
    {
      why: 'The settings require that programs reach it (mustReach).',
      remedy: 'Allow it in jobs.egress, and check the firewall behind the nodes.',
    },
  );

/** Endpoints that programs must not reach. One that obeys anyone is the worse case. */
const closedFinding = (as: string, { what, host, port, result, obeys }: CallMade): Finding => {
  const where = `${what} (${host}:${String(port)})`;
  if (result !== 'connected') return finding(`${as}.network.closed`, 'ok', `It does not reach ${where}.`, unenforced);
  const more = obeys ? ', which accepts commands without a password' : '';
  return finding(`${as}.network.closed`, obeys ? 'error' : 'warning', `It reaches ${where}${more}.`, unenforced);
};

const unenforced: Advice = {
  why: 'Programs need no network: one that reads a manipulated file could change every session. A NetworkPolicy works only if the network of the cluster enforces it, and this one does not.',
  remedy:
    'Use a network that enforces NetworkPolicy (Calico, Cilium, OpenShift), leave networkPolicy.enabled on, and give Redis a password.',
};
