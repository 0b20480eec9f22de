import type { FileFacts } from '@fleet/contracts';
import { bounds } from './bounds';
import { tooLarge } from './complexity-faults';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';
import { ModelTally } from './model-tally';
import { saidPrediction, saysPrediction } from './predicted-words';
import { unitCellOf } from './unit-cell';

interface Header {
  cell: FileFacts['cell'];
  spaceGroup: string | undefined;
  /** EXPDTA of an experiment, or the remark of a refinement: whatever else is said, this model was refined. */
  experiment: boolean;
  prediction: boolean;
}

const readCrystal = (line: string, header: Header): void => {
  const edges = [line.slice(6, 15), line.slice(15, 24), line.slice(24, 33)];
  const angles = [line.slice(33, 40), line.slice(40, 47), line.slice(47, 54)];
  header.cell = unitCellOf([...edges, ...angles].map(Number));
  const spaceGroup = line.slice(55, 66).trim();
  if (header.cell !== undefined && spaceGroup !== '') header.spaceGroup = spaceGroup;
};

const readHeader = (line: string, header: Header): void => {
  if (line.startsWith('CRYST1')) readCrystal(line, header);
  else if (/^EXPDTA.*(DIFFRACTION|MICROSCOPY|NMR)|^REMARK {3}3 .*(REFINEMENT|R VALUE)/.test(line))
    header.experiment = true;
  else if (/^(HEADER|TITLE|COMPND|REMARK {3}1 )/.test(line) && saysPrediction(line)) header.prediction = true;
};

const readAtom = (line: string, tally: ModelTally): void => {
  tally.add({
    hetero: line.startsWith('HETATM'),
    atom: line.slice(12, 16).trim(),
    residue: line.slice(17, 20).trim(),
    chain: line.slice(20, 22).trim(),
    number: line.slice(22, 27),
    b: Number.parseFloat(line.slice(60, 66)),
  });
};

/**
 * Facts of a PDB file; of several models the first. Undefined when there is no atom in what was read.
 * @throws Fault `file.too_complex`
 */
export const inspectPdb = async (source: FileSource): Promise<FileFacts | undefined> => {
  const tally = new ModelTally(source.path);
  const header: Header = { cell: undefined, spaceGroup: undefined, experiment: false, prediction: false };
  let atoms = 0;
  const toTheEnd = await scanLines(source, bounds.model, (line) => {
    if (line.startsWith('ATOM  ') || line.startsWith('HETATM')) {
      readAtom(line, tally);
      atoms += 1;
    } else if (line.startsWith('ENDMDL') && atoms > 0) return false;
    else if (atoms === 0) readHeader(line, header);
    return true;
  });
  if (atoms === 0) return undefined;
  if (toTheEnd && source.size > bounds.model) throw tooLarge(source.path, 'model', bounds.model);
  return {
    format: 'pdb',
    ...(header.cell === undefined ? {} : { cell: header.cell }),
    ...(header.spaceGroup === undefined ? {} : { spaceGroup: header.spaceGroup }),
    model: tally.facts(saidPrediction(header)),
  };
};
