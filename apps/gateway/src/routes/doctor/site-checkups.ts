import { access, constants } from 'node:fs/promises';
import type { BackendConfig } from '@fleet/config';
import type { Finding } from '@fleet/contracts/administration';
import { errnoOf } from '@fleet/contracts/faults';
import type { BackendName } from '@fleet/contracts/service';
import { allWell, finding, type Checkup, type Clock, type ProgramCatalogues, type SiteLooks } from '@fleet/ports';
import { sharedAccount } from '../../auth/access/shared-account';

const dataRootFinding = async (root: string): Promise<Finding> => {
  const advice = {
    why: 'Nothing can be submitted from there.',
    remedy: 'Mount it, let the user of the service read it, or remove it from FLEET_DATA_ROOTS.',
  };
  try {
    await access(root, constants.R_OK | constants.X_OK);
    return finding('data.read', 'ok', `${root} can be read.`, advice);
  } catch (error) {
    return finding('data.read', 'error', `${root} cannot be read: ${errnoOf(error) ?? String(error)}.`, advice);
  }
};

/** Whether the data roots are readable. Sequentially: each root that hangs blocks a thread of the process. */
export const dataCheckup = (dataRoots: readonly string[]): Checkup => ({
  area: 'data',
  check: async () => {
    const found: Finding[] = [];
    for (const root of dataRoots) found.push(await dataRootFinding(root));
    return found;
  },
});

/** The account of programs on a single machine. An open gateway separates no users. */
export const accountCheckup = ({ backend, runAsOwnerOf }: BackendConfig, isOpen: () => Promise<boolean>): Checkup => ({
  area: 'programs',
  check: async () => {
    if (backend !== 'local') return [];
    if (runAsOwnerOf !== undefined)
      return [allWell('programs.account', `Programs run under the account that owns ${runAsOwnerOf}.`)];
    if (await isOpen()) return [allWell('programs.account', 'Programs run under the account of the services.')];
    return [
      finding('programs.account', 'warning', sharedAccount, {
        why: 'The API separates proposals, but the operating system does not.',
        remedy: 'Give each proposal its own account: FLEET_PROGRAMS_RUN_AS_OWNER_OF, or Kubernetes (docs/access.md).',
      }),
    ];
  },
});

/** The programs that the executors of a backend have found, and their providers. */
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
          why: 'Sessions are accepted and wait.',
          remedy:
            'Check that an executor runs, and read its log; docs/configuration.md lists where PHENIX is searched.',
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
                why: 'Their results have no meaning: they are for tests.',
                remedy: 'Give the executors a PHENIX (docs/configuration.md).',
              },
            ),
          ]),
    ];
  },
});

/** Age in seconds at which an executor's findings are outdated; it checks every two minutes. */
const oldAfterS = 600;

/** An executor's findings about its site, which the gateway cannot check itself. */
export const executorCheckup = (looks: Pick<SiteLooks, 'look'>, clock: Clock): Checkup => ({
  area: 'executor',
  check: async () => {
    const look = await looks.look();
    const advice = {
      why: 'No executor has reported the state of the site.',
      remedy: 'Check that an executor runs, and read its log.',
    };
    if (look === undefined) return [finding('executor.look', 'warning', 'No executor has checked recently.', advice)];
    const ageS = Math.max(0, (clock.now() - Date.parse(look.at)) / 1000);
    const seen = `The executor ${look.by} checked ${ageS.toFixed(0)} s ago.`;
    return [finding('executor.look', ageS > oldAfterS ? 'warning' : 'ok', seen, advice), ...look.findings];
  },
});
