import { Fault } from '@fleet/contracts/faults';
import type { ExperimentType, Session } from '@fleet/contracts/sessions';
import type { CategorisedFiles } from '@fleet/files';

const contradiction = (reason: string, allowed: string): Fault =>
  new Fault('session.experiment_contradiction', 'caller', reason, {
    problems: [{ field: 'settings.experiment_type', reason, allowed }],
  });

interface DataKinds {
  readonly reflections: boolean;
  readonly maps: boolean;
  readonly halfMaps: boolean;
}

const kindsOf = (files: CategorisedFiles): DataKinds => ({
  reflections: files.has('data_mtz') || files.has('unscaled_data'),
  maps: (files.get('map')?.length ?? 0) > 0,
  halfMaps: (files.get('half_map')?.length ?? 0) > 1,
});

const asSet = (setting: ExperimentType, kinds: DataKinds): ExperimentType => {
  if (setting === 'xray' && !kinds.reflections && kinds.maps) {
    throw contradiction(
      'experiment_type is xray, but only maps were submitted',
      'reflection data, or experiment_type cryoem',
    );
  }
  if (setting === 'cryoem' && !kinds.maps && kinds.reflections) {
    throw contradiction(
      'experiment_type is cryoem, but only reflection data were submitted',
      'a map, or experiment_type xray',
    );
  }
  return setting;
};

/**
 * The experiment type of a session: as recorded in its first decision, otherwise from the settings, otherwise from the files (a map without
 * reflection data is cryo-EM).
 * @throws Fault `session.experiment_contradiction` when settings and files, or the files among themselves, contradict each other.
 */
export const experimentOf = (session: Pick<Session, 'request' | 'cycles'>, files: CategorisedFiles): ExperimentType => {
  const locked = session.cycles[0]?.decision.experimentType;
  if (locked !== undefined) return locked;
  const kinds = kindsOf(files);
  const setting = session.request.settings.experiment_type;
  if (setting !== 'auto') return asSet(setting, kinds);
  if (kinds.reflections && kinds.halfMaps) {
    throw contradiction('both reflection data and half maps were submitted', 'experiment_type xray or cryoem');
  }
  return kinds.maps && !kinds.reflections ? 'cryoem' : 'xray';
};
