import { access, constants } from 'node:fs/promises';
import { errnoOf, type BackendName, type Finding } from '@fleet/contracts';
import { finding, type Checkup, type ProgramCatalogues } from '@fleet/ports';

/** As whom the service runs. */
export const processCheckup = (uid: number | undefined = process.getuid?.()): Checkup => ({
  area: 'process',
  check: () =>
    Promise.resolve([
      finding(
        'process.user',
        uid === 0 ? 'warning' : 'ok',
        `The service runs as uid ${String(uid)}, groups ${String(process.getgroups?.())}.`,
        {
          why: 'What root writes nobody else can change, and a mistake reaches the whole machine.',
          remedy: 'Run the services as a user of their own, in the group of the work root (docs/container-images.md).',
        },
      ),
    ]),
});

const dataRootFinding = async (root: string): Promise<Finding> => {
  const advice = {
    why: 'Nothing can be submitted from there.',
    remedy: 'Mount it, let the user of the service read it, or take it out of FLEET_DATA_ROOTS.',
  };
  try {
    await access(root, constants.R_OK | constants.X_OK);
    return finding('data.read', 'ok', `${root} can be read.`, advice);
  } catch (error) {
    return finding('data.read', 'error', `${root} cannot be read: ${errnoOf(error) ?? String(error)}.`, advice);
  }
};

/** Whether there is something to submit from. One root after the other: each that hangs would hold a thread of the process. */
export const dataCheckup = (dataRoots: readonly string[]): Checkup => ({
  area: 'data',
  check: async () => {
    const found: Finding[] = [];
    for (const root of dataRoots) found.push(await dataRootFinding(root));
    return found;
  },
});

/** Which programs the executors of a backend have found, and whose they are. */
export const programsCheckup = (catalogues: Pick<ProgramCatalogues, 'of'>, backend: BackendName): Checkup => ({
  area: 'programs',
  check: async () => {
    const programs = (await catalogues.of(backend))?.programs ?? [];
    const found = programs.length > 0;
    const versions = [...new Set(programs.map(({ version }) => version))].join(', ');
    const standIns = programs.filter(({ provider }) => provider === 'simulated').length;
    const providers = [...new Set(programs.map(({ provider }) => provider))];
    const counts = providers.map(
      (provider) => `${String(programs.filter((one) => one.provider === provider).length)} of ${provider}`,
    );
    return [
      finding(
        'programs.installed',
        found ? 'ok' : 'error',
        found ? `Programs: ${counts.join(', ')} (${versions}).` : 'No executor has found a program.',
        {
          why: 'Sessions are taken and wait.',
          remedy:
            'Check that an executor runs, and look in its log; docs/configuration.md says where PHENIX is looked for.',
        },
      ),
      ...(standIns === 0
        ? []
        : [
            finding(
              'programs.stand_ins',
              'warning',
              `${String(standIns)} program${standIns === 1 ? ' is a stand-in' : 's are stand-ins'}.`,
              {
                why: 'Their results mean nothing: they are for tests.',
                remedy: 'Give the executors a PHENIX (docs/configuration.md).',
              },
            ),
          ]),
    ];
  },
});
