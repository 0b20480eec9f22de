import { solutionPathOf, statisticsKeyText } from './index';

describe('statistics in words', () => {
  it.each([
    ['month', '2026-11', '2026-11'],
    ['resolution', '1.5', '1.5–2.0 Å'],
    ['resolution', '', 'not known'],
    ['path', 'molecular_replacement', 'molecular replacement'],
    ['path', 'a newer one', 'a newer one'],
    ['beamline', '', 'none'],
    ['proposal', 'none', 'none'],
  ] as const)('say of %s "%s": %s', (by, key, text) => {
    expect(statisticsKeyText(by, key)).toBe(text);
  });

  it.each([
    ['experimental_phasing', ['phenix.xtriage', 'phenix.phaser', 'phenix.autosol']],
    ['prediction', ['phenix.phaser', 'phenix.predict_and_build']],
    ['molecular_replacement', ['phenix.refine', 'phenix.phaser']],
    ['docking', ['phenix.map_to_model', 'phenix.dock_in_map']],
    ['map_building', ['phenix.real_space_refine', 'phenix.map_to_model']],
    ['refinement', ['phenix.real_space_refine']],
    ['none', ['phenix.xtriage']],
  ] as const)('classify as %s a session with %j', (path, programs) => {
    expect(solutionPathOf(new Set(programs))).toBe(path);
  });
});
