import { isOtherBuild } from './other-build';

const page = '<script type="module" crossorigin src="./assets/index-a1b2.js"></script>';

describe('another build', () => {
  it('is one whose page loads another program', () => {
    expect(isOtherBuild(page, 'index-a1b2.js')).toBe(false);
    expect(isOtherBuild(page, 'index-c3d4.js')).toBe(true);
  });

  it('is nothing that is no page of the dashboard, such as a proxy that says it is busy', () => {
    expect(isOtherBuild('<h1>503</h1>', 'index-a1b2.js')).toBe(false);
    expect(isOtherBuild(page, undefined)).toBe(false);
  });
});
