const million = (count: number): string => `${(count / 1e6).toFixed(0)} million`;

/** English words of the model and its maps in 3D. */
export const sceneTexts = {
  tab: '3D',
  drawing: 'Model and map',
  loading: 'Loading the model.',
  mapping: 'Computing the map.',
  noModel: 'No model yet: none was submitted, and no program has built one. It appears here once it exists.',
  unservedModel:
    'The best model is still the submitted one. It is available after a program has used it. Until then, it is unknown whether this proposal may read it.',
  mapAlone: 'Only the map is drawn, around its centre.',
  noMap: 'No map of this model yet.',
  unservedMap: 'The map is the submitted one. It is available after a program has used it. Only the model is drawn.',
  noWebGl:
    'This browser cannot show 3D because WebGL is missing or disabled. The rest of this page works without it. Download the files to view them elsewhere.',
  lost: 'The browser discarded the 3D picture, usually because its graphics memory ran out. Reload the page to draw it again.',
  tooManyAtoms: (count: number, most: number) =>
    `The model has ${count.toLocaleString('en')} atoms. At most ${most.toLocaleString('en')} are drawn here, so that the page does not freeze. Download it to view it.`,
  tooFine: (points: number, most: number) =>
    `The map has ${million(points)} points. At most ${million(most)} are drawn here, so that the page does not freeze. Download it to view it.`,
  tooLarge: (size: string, most: string) =>
    `The file is ${size}. At most ${most} are read here, so that the page does not freeze. Download it to view it.`,
  tooSpread: 'The atoms of the model are too far apart to be drawn. Download it to view it.',
  damaged: (kind: string) =>
    `The ${kind} file is damaged, or its format does not match its name. Download it to view it.`,
  noColumn: (label: string) => `The map coefficient file has no column ${label}.`,
  noReflection: (labels: string) =>
    `No map can be drawn: the map coefficient file has no reflection with values in ${labels}.`,
  mapFailed: 'The map could not be computed because its program did not load or stopped. Reload the page.',
  noAtoms: 'The model file contains no readable atoms. Download it to view it.',
  notFetched: (why: string) => `The file could not be loaded: ${why}`,
  fromCycle: (program: string, cycle: number) => `by ${program}, cycle ${String(cycle)}`,
  submitted: 'as submitted',
  otherCycle: 'The map is from another cycle than the model. It does not show the changes between them.',
  simulated: 'A scripted stand-in created this. It is not a scientific result.',
  canvas: 'Model and maps in 3D. Arrow keys rotate, plus and minus zoom, R centres.',
  how: 'Drag to rotate, right-drag to zoom, middle-drag or Ctrl-drag to move. Double-click names an atom. After a click on the picture, the wheel changes the map level, and Shift with the wheel changes the difference map level. Maps are drawn around the centre, once you are near.',
  maps: { density: '2mFo-DFc', difference: 'mFo-DFc', map: 'Map' },
  level: (name: string) => `Level of ${name}, in rms`,
  centre: 'Whole model',
  next: 'Next residue',
  ligands: 'Ligands',
  noLigands: 'The model has no ligands.',
  peaks: 'Difference peaks',
  peaksWhy: (least: number) => `at least ${String(least)} rms, within 4 Å of the model`,
  noPeaks: 'None. The model explains the density.',
  peak: { height: 'Height', near: 'Nearest atom', distance: 'Å' },
  show: (what: string) => `Show ${what}`,
  download: (what: string) => `Download ${what}`,
} as const;
