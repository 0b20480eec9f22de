const million = (count: number): string => `${(count / 1e6).toFixed(0)} million`;

/** English words of the model and its maps in 3D. */
export const sceneTexts = {
  tab: '3D',
  drawing: 'Model and map',
  loading: 'The model is being fetched.',
  mapping: 'The map is being made.',
  noModel:
    'There is no model yet: none was submitted, and no program has made one. It is drawn here once there is one.',
  unservedModel:
    'The best model is still the submitted one, which is served once a program has worked with it: until then nobody knows whether this proposal may read it.',
  mapAlone: 'The map is drawn alone, around its middle.',
  noMap: 'There is no map of this model yet.',
  unservedMap:
    'The map is the submitted one, which is served once a program has worked with it: only the model is drawn.',
  noWebGl:
    'This browser cannot show 3D: WebGL is missing or switched off. Everything else on this page works without it. Download the files to look at them elsewhere.',
  lost: 'The browser has taken the 3D picture away, as it does when its graphics memory runs out. Open the page again to draw it again.',
  tooManyAtoms: (count: number, most: number) =>
    `The model has ${count.toLocaleString('en')} atoms, and at most ${most.toLocaleString('en')} are drawn here, so that the page does not freeze. Download it to look at it.`,
  tooFine: (points: number, most: number) =>
    `The map has ${million(points)} points, and at most ${million(most)} are drawn here, so that the page does not freeze. Download it to look at it.`,
  tooLarge: (size: string, most: string) =>
    `The file is ${size}, and at most ${most} are read here, so that the page does not freeze. Download it to look at it.`,
  tooSpread: 'The atoms of the model lie too far apart to be drawn. Download it to look at it.',
  damaged: (kind: string) => `The ${kind} file is damaged, or not what its name says. Download it to look at it.`,
  noColumn: (label: string) => `The file of map coefficients has no column ${label}.`,
  noReflection: (labels: string) =>
    `The file of map coefficients has no reflection with values in ${labels}: there is no map to draw.`,
  mapFailed: 'The map could not be made: the program that makes it did not load, or ended. Load the page again.',
  noAtoms: 'The file of the model has no atoms that could be read. Download it to look at it.',
  notFetched: (why: string) => `The file could not be fetched: ${why}`,
  fromCycle: (program: string, cycle: number) => `by ${program}, cycle ${String(cycle)}`,
  submitted: 'as it was submitted',
  otherCycle: 'The map is of another cycle than the model: it does not show what was changed between them.',
  simulated: 'A scripted stand-in made this: it is not a result.',
  canvas: 'The model and its maps in 3D. Arrow keys turn it, plus and minus zoom, R centres it.',
  how: 'Drag to turn, right drag to zoom, middle or Ctrl drag to move. Double click names an atom. The wheel changes the level of the map once the picture has been clicked, with Shift that of the difference map. Maps are drawn around the middle, once you are near.',
  maps: { density: '2mFo-DFc', difference: 'mFo-DFc', map: 'Map' },
  level: (name: string) => `Level of ${name}, in rms`,
  centre: 'Whole model',
  next: 'Next residue',
  ligands: 'Ligands',
  noLigands: 'The model has none.',
  peaks: 'Difference peaks',
  peaksWhy: (least: number) => `at least ${String(least)} rms, within 4 Å of the model`,
  noPeaks: 'None: the model explains the density.',
  peak: { height: 'Height', near: 'Nearest atom', distance: 'Å' },
  show: (what: string) => `Show ${what}`,
  download: (what: string) => `Download ${what}`,
} as const;
