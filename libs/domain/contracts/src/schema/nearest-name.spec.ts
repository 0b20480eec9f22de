import { settingDefinitions } from '../service/settings';
import { nearestName } from './nearest-name';

const names = Object.keys(settingDefinitions);

describe('nearestName', () => {
  it.each([
    ['max_cycels', 'max_cycles'],
    ['maxcycles', 'max_cycles'],
    ['max-cycles', 'max_cycles'],
    ['MAX_CYCLES', 'max_cycles'],
    ['rfree_target', 'r_free_target'],
    ['resolutoin', 'resolution'],
    ['experimenttype', 'experiment_type'],
  ])('suggests for %s the name %s', (given, meant) => {
    expect(nearestName(given, names)).toBe(meant);
  });

  it.each(['wavelength', '', 'x', 'a'.repeat(100_000)])('suggests nothing for %.20s', (given) => {
    expect(nearestName(given, names)).toBeUndefined();
  });
});
