import { misread, readByPhil } from './read-by-phil';

// phil-values.long-spec.ts draws more.
describe('every value that a type accepts', () => {
  it('is one parameter with that value to the real PHIL parser', () => {
    expect(misread(800, 25)).toEqual({ wrong: [], missed: [] });
  });

  it('could be more than one if it were not refused', () => {
    const token = 'refinement.twinning.twin_law=h,-k,-l\noutput_somewhere=/elsewhere';
    const [read] = readByPhil([{ token, parameter: 'refinement.twinning.twin_law', value: '' }]);
    expect(read).toMatchObject({ paths: ['refinement.twinning.twin_law', 'output_somewhere'], other: '/elsewhere' });
  });
});
