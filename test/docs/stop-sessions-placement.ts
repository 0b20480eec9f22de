import { dataFile, modelFile, refinements } from '@fleet/testing';
import { ends, misplaced, phaser, type EndedExample } from './walked-ends';

/** Ends of X-ray sessions that say what is odd about the placement or the symmetry of the data. */
export const placementEnds: readonly EndedExample[] = [
  {
    about: 'fewer copies are found than were searched for, and the target is not met',
    end: ends([dataFile(), modelFile()], {
      ...misplaced,
      phaser: [{ ...phaser[0], metrics: { tfz: 14, copies_asked_for: 3, copies_placed: 2 } }],
      refine: refinements(0.33),
    }),
  },
  {
    about: 'the structure is in another space group than the data say',
    end: ends([{ ...dataFile(), facts: { ...dataFile().facts, spaceGroup: 'P 4 2 2' } }, modelFile()], {
      ...misplaced,
      phaser: [{ ...phaser[0], metrics: { tfz: 27, space_group: 'P 41 21 2' } }],
      refine: refinements(0.24),
    }),
  },
  {
    about: 'the data are labelled with too low a symmetry',
    end: ends([dataFile(), modelFile()], {
      xtriage: [{ metrics: { resolution: 1.8, likely_point_group: 'P 4 2 2', l_test_mean: 0.5 } }],
      refine: refinements(0.24),
    }),
  },
];
