// What a folder imports does not import it, whichever files: a tree can be read from the top. Tests and what they share are left out, because a
// spec may import what stands above its library.
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycle',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: ['spec\\.tsx?$', '\\.bench\\.ts$', '/fixtures/', '^libs/testing/'] } },
};
