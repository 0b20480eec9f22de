import { BuildWatch, isOtherBuild } from './other-build';

const page = '<script type="module" crossorigin src="./assets/index-a1b2.js"></script>';

describe('another build', () => {
  it('is a page that loads another program', () => {
    expect(isOtherBuild(page, 'index-a1b2.js')).toBe(false);
    expect(isOtherBuild(page, 'index-c3d4.js')).toBe(true);
  });

  it("is not detected in another response, such as a proxy's error page", () => {
    expect(isOtherBuild('<h1>503</h1>', 'index-a1b2.js')).toBe(false);
    expect(isOtherBuild(page, undefined)).toBe(false);
  });
});

describe('a page reload', () => {
  const other = page.replace('a1b2', 'c3d4');
  const minute = 60_000;
  const start = Date.parse('2026-11-23T12:00:00Z');

  const watch = (items = new Map<string, string>()) =>
    new BuildWatch('index-a1b2.js', {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => items.set(name, value),
    });

  it('follows a build found by two consecutive checks, a minute apart', () => {
    const one = watch();
    expect(one.programAt(other, start)).toBeUndefined();
    expect(one.programAt(other, start + 1000)).toBeUndefined();
    expect(one.programAt(other, start + minute)).toBe('./assets/index-c3d4.js');
  });

  it.each([page, '', '<h1>503</h1>'])('does not follow if %j came in between', (between) => {
    const one = watch();
    one.programAt(other, start);
    one.programAt(between, start + minute);
    expect(one.programAt(other, start + 2 * minute)).toBeUndefined();
    expect(one.programAt(other, start + 3 * minute)).toBe('./assets/index-c3d4.js');
  });

  it('happens at most every five minutes, also in the reloaded page', () => {
    const items = new Map<string, string>();
    watch(items).mark(start);
    const one = watch(items);
    for (const minutes of [1, 2, 3, 4]) expect(one.programAt(other, start + minutes * minute)).toBeUndefined();
    expect(one.programAt(other, start + 5 * minute)).toBe('./assets/index-c3d4.js');
  });
});
