import { basename } from 'node:path';
import type { FileFacts, SessionFile, SessionSettings } from '@fleet/contracts';
import { shown, type ProblemList } from './problem-list';

/** Measured reflections; an MTZ that only holds map coefficients is none. */
const holdsReflections = (facts: FileFacts): boolean => {
  if (facts.format === 'scalepack' || facts.format === 'mmcif-reflections') return true;
  return facts.format === 'mtz' && (facts.mtz === undefined || facts.mtz.observations.length > 0);
};

const named = (files: readonly SessionFile[]): string => files.map((file) => shown(basename(file.path))).join(', ');

const field = 'settings.experiment_type';

const checkSetting = (
  wanted: SessionSettings['experiment_type'],
  reflections: readonly SessionFile[],
  maps: readonly SessionFile[],
  problems: ProblemList,
): void => {
  if (wanted === 'xray' && reflections.length === 0) {
    problems.add('experiment.contradiction', field, `xray was asked for, but ${named(maps)} is a map`, 'cryoem');
  }
  if (wanted === 'cryoem' && maps.length === 0) {
    const reason = `cryoem was asked for, but ${named(reflections)} holds reflections`;
    problems.add('experiment.contradiction', field, reason, 'xray');
  }
};

/**
 * Refuses a submission whose files and settings speak of two kinds of experiment, or of none.
 * @param complete false when files were refused already: what is missing may be among them
 */
export const checkExperiment = (
  files: readonly SessionFile[],
  settings: SessionSettings,
  complete: boolean,
  problems: ProblemList,
): void => {
  const reflections = files.filter((file) => holdsReflections(file.facts));
  const maps = files.filter((file) => file.facts.format === 'map');
  if (settings.experiment_type === 'auto' && reflections.length > 0 && maps.length > 0) {
    const reason = `the files speak of two experiments: reflections (${named(reflections)}) and a map (${named(maps)})`;
    problems.add('experiment.ambiguous', field, reason, 'set it to xray or cryoem, or leave one kind of file out');
  }
  if (!complete) return;
  if (reflections.length > 0 || maps.length > 0) checkSetting(settings.experiment_type, reflections, maps, problems);
  else
    problems.add(
      'files.no_data',
      'files',
      `there is neither a data set nor a map among ${named(files)}`,
      'reflections or a map',
    );
};
