import { settingDefinitions } from '@fleet/contracts/service';
import { componentOf, type FileFacts, type FileUse, type Session, type SessionFile } from '@fleet/contracts/sessions';
import { submittedUses } from '@fleet/commands';
import { freeColumns } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  adviceText,
  counted,
  experimentOf,
  guidanceSentences,
  markdownCell,
  markdownCode,
  fileUseWords,
} from '@fleet/session-report';
import { dataNumbers } from './judged-numbers';
import { resolutionOf } from './summary-facts';

export const experimentNames = { xray: 'X-ray crystallography', cryoem: 'cryo-EM' } as const;

const modelText = ({ model }: FileFacts): string | undefined => {
  if (model === undefined) return undefined;
  const ligands = model.ligandCodes.length > 0 ? `, ligands ${model.ligandCodes.slice(0, 10).join(' ')}` : '';
  return `${model.predicted ? 'predicted model' : 'model'}, ${model.atoms} atoms, ${model.polymerResidues} residues${ligands}`;
};

const dataText = ({ mtz }: FileFacts): string | undefined => {
  if (mtz === undefined) return undefined;
  const measured = mtz.observations.map(({ labels }) => labels).join(' and ');
  const maps = mtz.mapCoefficients.slice(0, 10).join(' and ');
  const arrays = measured || (maps === '' ? 'no observations' : `map coefficients ${maps}, no observations`);
  const flags = mtz.freeFlag === undefined ? 'no free flags' : `free flags ${freeColumns(mtz).join(', ')}`;
  // The values of a list in text are not read.
  const [count, limit] =
    mtz.reflections === 0 ? ['', ''] : [`${mtz.reflections} `, ` to ${mtz.highResolution.toFixed(2)} Å`];
  return `${count}${mtz.unmerged === true ? 'unmerged ' : ''}reflections${limit}, ${arrays}, ${flags}`;
};

const mapText = ({ map }: FileFacts): string | undefined =>
  map === undefined
    ? undefined
    : `${map.mask === true ? 'mask' : 'map'}, ${map.grid.join(' × ')}, ${map.voxel.toFixed(3)} Å per point`;

const sequenceText = ({ sequence }: FileFacts): string | undefined =>
  sequence === undefined
    ? undefined
    : `sequence, ${counted(sequence.chains, 'chain')}, ${counted(sequence.residues, 'residue')}`;

const restraintsText = ({ restraints }: FileFacts): string | undefined =>
  restraints === undefined ? undefined : `restraints of ${restraints.codes.slice(0, 10).join(' ')}`;

/** A short description of a file. */
export const fileText = ({ facts }: Pick<SessionFile, 'facts'>): string =>
  dataText(facts) ?? modelText(facts) ?? mapText(facts) ?? sequenceText(facts) ?? restraintsText(facts) ?? facts.format;

const changedSettings = ({ request }: Session): readonly string[] =>
  Object.entries(request.settings)
    .filter(([key, value]) => {
      const definition = Object.entries(settingDefinitions).find(([name]) => name === key)?.[1];
      return JSON.stringify(definition?.default) !== JSON.stringify(value);
    })
    .map(([key, value]) => `${key}=${Array.isArray(value) ? value.join(',') : String(value)}`);

/** Ligands without a file, with their SMILES. */
const ligandsLine = ({ request: { ligands = [] } }: Session): readonly string[] => {
  const texts = ligands.map((ligand) => {
    const name = markdownCell(componentOf(ligand));
    return ligand.smiles === undefined ? name : `${name} from ${markdownCode(ligand.smiles)}`;
  });
  return texts.length === 0 ? [] : [`- Ligands without a file: ${texts.join(', ')}`];
};

/** Understood, contradictory and unfollowed parts of the advice. */
const readingLine = ({ guidance }: Session): readonly string[] => {
  const sentences = guidance === undefined ? [] : guidanceSentences(guidance);
  return sentences.length === 0 ? [] : [`- Read: ${sentences.map(markdownCell).join(' ')}`];
};

const fileRow = (file: SessionFile | undefined, use: FileUse): string => {
  const content = file === undefined ? '' : markdownCell(fileText(file));
  return `| ${markdownCode(use.path)} | ${content} | ${use.used ? 'used' : '**not used**:'} ${markdownCell(fileUseWords(use))} |`;
};

/** Section "Input": files, experiment, resolution, advice, settings that differ from the default. */
export const inputSection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const { request } = session;
  const resolution = resolutionOf(session, ruleBook.programs);
  const settings = changedSettings(session);
  const beamline = request.beamline === '' ? '' : `, beamline ${markdownCell(request.beamline)}`;
  return [
    '## Input',
    '',
    `- Experiment: ${experimentNames[experimentOf(session)]}${resolution === undefined ? '' : `, ${resolution.toFixed(2)} Å`}`,
    `- Proposal ${markdownCell(request.proposal)}${beamline}, submitted by ${markdownCell(request.submitter)}`,
    `- Advice: ${markdownCell(adviceText(session))}`,
    ...readingLine(session),
    ...ligandsLine(session),
    ...(settings.length === 0 ? [] : [`- Settings: ${settings.map(markdownCode).join(', ')}`]),
    '',
    '| File | Content | Use |',
    '| --- | --- | --- |',
    ...submittedUses(session, ruleBook).map((use, index) => fileRow(request.inputs[index], use)),
  ];
};

/** Section "Input data quality": findings of the analysis programs. */
export const dataQualitySection = (session: Session, ruleBook: RuleBook): readonly string[] => {
  const rows = dataNumbers(session, ruleBook).map(
    ({ label, text }) => `| ${markdownCell(label)} | ${markdownCell(text)} |`,
  );
  const table = rows.length === 0 ? ['Not analysed.'] : ['| Metric | Value |', '| --- | --- |', ...rows];
  return ['## Input data quality', '', ...table];
};
