import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { mapBytes } from '@fleet/testing';
import { offlineDecisions } from '../../apps/cli/src/decide/offline-decisions';

const engine = offlineDecisions();
const folder = mkdtempSync(join(tmpdir(), 'half-maps-'));
afterAll(() => rmSync(folder, { recursive: true }));

const size = 24;
const points = Array.from({ length: size ** 3 }, (_, at) => at);

/** Independent of any other seed's; between -1 and 1. */
const noiseOf = (seed: number): readonly number[] => {
  let state = seed;
  return points.map(() => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31 - 1;
  });
};

/** Density of a particle around a point. */
const particle = (at: number): readonly number[] =>
  points.map((point) => {
    const gridPoint = [point % size, Math.floor(point / size) % size, Math.floor(point / size ** 2)];
    return 8 * Math.exp(-gridPoint.reduce((sum, one) => sum + (one - at) ** 2, 0) / 30);
  });

const sum = (...maps: readonly (readonly number[])[]): readonly number[] =>
  points.map((point) => maps.reduce((total, map) => total + (map[point] ?? 0), 0));
const times = (map: readonly number[], factor: number): readonly number[] => map.map((value) => value * factor);

const write = (name: string, values: readonly number[], edge = 24): string => {
  const bytes = mapBytes({ size: [size, size, size], edges: [edge, edge, edge] });
  values.forEach((value, point) => bytes.writeFloatLE(value, 1_024 + point * 4));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};

/** How the first command uses the files, and its account of each. */
const decided = async (files: readonly string[]) => {
  const request = {
    api_version: '2.0',
    client_version: '1.22.0',
    files,
    cycle_number: 1,
    log_content: '',
    history: [],
    session_state: {},
    user_advice: '',
    settings: { use_rules_only: true },
  };
  const { decision, metadata } = await engine.api.answer(request, await engine.readFactsOf(request));
  const texts = metadata.files.map(({ path, text, notes = [] }): [string, string] => [
    basename(path),
    [text, ...notes].join(' '),
  ]);
  return {
    command: decision.argv.map((word) => word.replace(/[^=]*\/(?=[^/]*$)/, '')).join(' '),
    files: Object.fromEntries(texts),
  };
};

const [first, second] = [noiseOf(1), noiseOf(2)];
const shape = particle(12);

it.each([
  ['before', ['emd.map', 'run_even.mrc', 'run_odd.mrc']],
  ['behind', ['run_even.mrc', 'run_odd.mrc', 'emd.map']],
])('half maps are recognised by their values, the full map %s them', async (_, order) => {
  const written: Readonly<Record<string, string>> = {
    'emd.map': write('emd.map', sum(shape, times(sum(first, second), 0.5))),
    'run_even.mrc': write('run_even.mrc', sum(shape, first)),
    'run_odd.mrc': write('run_odd.mrc', sum(shape, second)),
  };
  const { command, files } = await decided(order.map((name) => written[name] ?? name));
  expect(command).toBe('phenix.mtriage half_map=run_even.mrc half_map=run_odd.mrc full_map=emd.map');
  expect(files['run_even.mrc']).toMatch(/Read as a half map, by its values: it shows the same as run_odd\.mrc/);
  expect(files['emd.map']).not.toMatch(/half map/);
});

it.each([
  ['of the same images', sum(shape, times(first, 0.9), times(second, 0.1))],
  ['of another particle', sum(particle(7), second)],
  ['with weaker noise', sum(shape, times(second, 0.4))],
])('two maps are not half maps for their numbers alone: %s', async (_, other) => {
  const { command } = await decided([write('class_1.mrc', sum(shape, first)), write('class_2.mrc', other)]);
  expect(command).not.toMatch(/half_map/);
});

it('maps that are named as halves and do not agree are half maps, with a warning', async () => {
  const one = write('half_map_1.mrc', sum(shape, first));
  const { command, files } = await decided([one, write('half_map_2.mrc', sum(particle(7), second))]);
  expect(command).toMatch(/half_map=half_map_1\.mrc half_map=half_map_2\.mrc/);
  expect(files['half_map_1.mrc']).toMatch(/by its name alone: its values and those of half_map_2\.mrc are not/);
});

it('maps of another cell are not half maps', async () => {
  const { command } = await decided([write('a.mrc', sum(shape, first)), write('b.mrc', sum(shape, second), 30)]);
  expect(command).not.toMatch(/half_map/);
});

it('where the noise was masked away, names decide', async () => {
  const masked = (noise: readonly number[]): readonly number[] =>
    sum(shape, noise).map((value, point) => ((shape[point] ?? 0) > 0.5 ? value : 0));
  const { command } = await decided([write('x_1.mrc', masked(first)), write('x_2.mrc', masked(second))]);
  expect(command).toMatch(/half_map=x_1\.mrc half_map=x_2\.mrc/);
});

it('a map with noise around it is density, though its name speaks of a mask; a soft mask is one by its values', async () => {
  const full = write('focus_mask_3.mrc', sum(shape, first));
  const soft = write(
    'region.mrc',
    shape.map((value) => Math.min(1, Math.max(0, value / 4 - 0.02))),
  );
  const { command, files } = await decided([soft, full]);
  expect(command).toBe('phenix.mtriage full_map=focus_mask_3.mrc');
  expect(files['region.mrc']).toMatch(/mask/);
});
