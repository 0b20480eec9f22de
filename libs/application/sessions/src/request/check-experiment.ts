import { basename } from 'node:path';
import { shown } from '@fleet/contracts/schema';
import type { SessionSettings } from '@fleet/contracts/service';
import type { FileFacts, MtzFacts, SessionFile } from '@fleet/contracts/sessions';
import { emptyColumns, isMask, isUnscaled } from '@fleet/files';
import type { ProblemList } from '@fleet/problems';

/** Whether a file has measured reflections; map coefficients and free flags alone are none. */
const holdsReflections = ({ format, mtz }: FileFacts): boolean =>
  ['mtz', 'scalepack', 'mmcif-reflections', 'xds-ascii'].includes(format) &&
  (mtz === undefined || mtz.observations.length > 0);

const named = (files: readonly SessionFile[]): string => files.map((file) => shown(basename(file.path))).join(', ');

/** Maximum number of labels listed for one file. */
const maxLabels = 30;

/** Lists the content of reflections without observations: the user needs the file from which they were made. */
const columnsOf = (mtz: MtzFacts): string => {
  const { columns, mapCoefficients: maps } = mtz;
  const empty = emptyColumns(mtz).map(({ label }) => label);
  const all = columns.filter(({ type }) => type !== 'H').map(({ label }) => label);
  const more = all.length > maxLabels ? `, and ${String(all.length - maxLabels)} more` : '';
  const what =
    maps.length === 0
      ? `none of them is measured data with its sigmas${empty.length === 0 ? '' : ` (no value, or the same one everywhere: ${empty.slice(0, maxLabels).join(', ')})`}`
      : `${maps.slice(0, maxLabels).join(' and ')} are map coefficients, not measured data: submit the data that the map was made from`;
  return `holds the columns ${all.slice(0, maxLabels).join(', ')}${more}; ${what}`;
};

const unscaled =
  'holds integrated intensities that are not scaled: scale and merge them first (XDS: CORRECT or XSCALE; DIALS: dials.scale and dials.merge; MOSFLM: AIMLESS), and submit the merged file';

/** What a file without data holds, and the remarks of its reader: they may say how to make data of it. */
const whyNoData = (file: SessionFile): readonly string[] => {
  const { mtz, notes = [] } = file.facts;
  const held = mtz === undefined || mtz.columns.length === 0 ? [] : [isUnscaled(file) ? unscaled : columnsOf(mtz)];
  const remarks = notes.map((note) =>
    note.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()),
  );
  const name = shown(basename(file.path));
  return [...held.map((words) => `${name} ${words}`), ...remarks.map((words) => `${name}: ${words}`)];
};

const field = 'settings.experiment_type';

const checkSetting = (
  wanted: SessionSettings['experiment_type'],
  reflections: readonly SessionFile[],
  maps: readonly SessionFile[],
  problems: ProblemList,
): void => {
  if (wanted === 'xray' && reflections.length === 0) {
    problems.add('experiment.contradiction', field, `experiment_type is xray, but ${named(maps)} is a map`, 'cryoem');
  }
  if (wanted === 'cryoem' && maps.length === 0) {
    const reason = `experiment_type is cryoem, but ${named(reflections)} holds reflections`;
    problems.add('experiment.contradiction', field, reason, 'xray');
  }
};

/**
 * Refuses a submission whose files and settings belong to two types of experiment, or to none.
 * @param complete false if files were already refused: what is missing may be among them
 */
export const checkExperiment = (
  files: readonly SessionFile[],
  settings: SessionSettings,
  complete: boolean,
  problems: ProblemList,
): void => {
  const reflections = files.filter((file) => holdsReflections(file.facts));
  const maps = files.filter((file) => file.facts.format === 'map' && !isMask(file));
  if (settings.experiment_type === 'auto' && reflections.length > 0 && maps.length > 0) {
    const reason = `the files belong to two experiments: reflections (${named(reflections)}) and a map (${named(maps)})`;
    problems.add('experiment.ambiguous', field, reason, 'set it to xray or cryoem, or remove one kind of file');
  }
  if (!complete) return;
  if (maps.length > 0 || reflections.some((file) => !isUnscaled(file)))
    checkSetting(settings.experiment_type, reflections, maps, problems);
  else
    problems.add(
      'files.no_data',
      'files',
      [
        `there are neither reflections nor a map that can be used among ${named(files)}`,
        ...files.flatMap(whyNoData),
      ].join('; '),
      'measured reflections (amplitudes or intensities with their sigmas), or a map (CCP4)',
    );
};
