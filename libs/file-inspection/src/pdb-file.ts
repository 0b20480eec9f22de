import type { FileFacts } from '@fleet/contracts';
import type { FileSource } from './file-source';
import { scanLines } from './line-scan';
import { ModelTally } from './model-tally';
import { saysPrediction } from './predicted-words';
import { unitCellOf } from './unit-cell';

/** Models are read up to here; a file of this size holds about 800,000 atoms. Bytes. */
export const longestModel = 64 * 1_048_576;

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

/** What the header says about prediction: yes, no, or nothing, so that the B column is asked. */
const prediction = ({ prediction: said, experiment, cell }: Header): boolean | undefined => {
  if (experiment) return false;
  if (said) return true;
  return cell === undefined ? undefined : false;
};

/** Facts of a PDB file; of several models the first. Undefined when there is no atom in what was read. */
export const inspectPdb = async (source: FileSource): Promise<FileFacts | undefined> => {
  const tally = new ModelTally();
  const header: Header = { cell: undefined, spaceGroup: undefined, experiment: false, prediction: false };
  let atoms = 0;
  await scanLines(source, longestModel, (line) => {
    if (line.startsWith('ATOM  ') || line.startsWith('HETATM')) {
      readAtom(line, tally);
      atoms += 1;
    } else if (line.startsWith('ENDMDL') && atoms > 0) return false;
    else if (atoms === 0) readHeader(line, header);
    return true;
  });
  if (atoms === 0) return undefined;
  return {
    format: 'pdb',
    ...(header.cell === undefined ? {} : { cell: header.cell }),
    ...(header.spaceGroup === undefined ? {} : { spaceGroup: header.spaceGroup }),
    model: tally.facts(prediction(header)),
  };
};
