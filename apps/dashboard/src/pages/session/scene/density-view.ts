import { ElMap, GridArray, modelsFromPDB, Viewer, type Atom, type Model } from 'uglymol';
import { sceneTexts } from '../../../texts/scene';
import { cellOf } from './cell';
import type { Density } from './density';
import type { Point } from './point';

/** Step of the arrow keys, as a fraction of the picture. */
const keyStep = 0.08;
const turns: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, keyStep],
  ArrowDown: [0, -keyStep],
};
const rotate = 0;
const zooms: Readonly<Record<string, number>> = { '+': 1.15, '=': 1.15, '-': 1 / 1.15 };

const schemes = { light: 'coot light', dark: 'coot dark' } as const;

const noBounds = { lower_bound: [0, 0, 0], upper_bound: [0, 0, 0] } as const;
/** Radius in Å around a selected position. */
const closely = 12;
/** Radius in Å around the centre in which maps are drawn, and the zoom limit for them. */
const mapRadius = 12;
const farOff = 22;

export type MapName = 'density' | 'difference';

/** Events from a view to the page. */
export interface ViewEvents {
  /** The name of an atom, or the level of a map; plain text out of files. */
  readonly onMessage: (text: string) => void;
  readonly onLost: () => void;
}

const mapOf = (density: Density): ElMap => {
  const { dimensions, values, mean, rms, unit } = density;
  const map = new ElMap();
  map.unit_cell = cellOf(density);
  map.stats = { mean, rms };
  map.unit = unit;
  map.grid = new GridArray([0, 0, 0]);
  map.grid.dim = [...dimensions];
  map.grid.values = values;
  return map;
};

/**
 * UglyMol embedded in a page: it handles keys and the wheel only while the picture has the focus, writes nothing into
 * the document, and releases everything at its end.
 */
export class DensityView extends Viewer {
  private readonly places = new Map<MapName, number>();
  private readonly ending = new AbortController();

  /** @throws Error if the browser has no WebGL */
  constructor(
    private readonly frame: HTMLElement,
    private readonly events: ViewEvents,
    scheme: keyof typeof schemes,
  ) {
    super({
      viewer: null,
      hud: null,
      help: null,
      color_scheme: schemes[scheme],
      map_radius: mapRadius,
      ball_size: 0.3,
    });
    if (this.renderer === null) throw new Error('no WebGL');
    this.container = frame;
    this.renderer.setClearColor(this.config.colors.bg, 1);
    this.renderer.setPixelRatio(window.devicePixelRatio);
    this.resize();
    frame.appendChild(this.renderer.domElement);
    this.listen(this.renderer.domElement);
  }

  private on<K extends keyof HTMLElementEventMap>(kind: K, handle: (event: HTMLElementEventMap[K]) => void): void {
    this.renderer?.domElement.addEventListener(kind, handle, { signal: this.ending.signal, passive: false });
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', sceneTexts.canvas);
    this.on('mousedown', this.press.bind(this));
    this.on('dblclick', this.dblclick.bind(this));
    this.on('touchstart', this.touch.bind(this));
    this.on('touchmove', this.touchmove.bind(this));
    this.on('touchend', this.touchend.bind(this));
    this.on('touchcancel', this.touchend.bind(this));
    this.on('wheel', this.turnWheel.bind(this));
    this.on('keydown', this.pressKey.bind(this));
    this.on('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextlost', this.events.onLost, { signal: this.ending.signal });
    const watch = new ResizeObserver(() => this.resize());
    watch.observe(this.frame);
    this.ending.signal.addEventListener('abort', () => watch.disconnect());
  }

  /** A map is drawn around the centre, which is useless from afar. */
  override update_camera(): void {
    super.update_camera();
    const radius = Math.min(this.camera.right, this.camera.top) / this.camera.zoom < farOff ? mapRadius : 0;
    if (radius === this.config.map_radius) return;
    this.config.map_radius = radius;
    this.redraw_maps(true);
  }

  /** The picture's position in the document, which scrolls and changes. */
  private placeWindow(): void {
    const { left, top } = this.frame.getBoundingClientRect();
    this.window_offset = [left + window.scrollX, top + window.scrollY];
  }

  private press(event: MouseEvent): void {
    this.placeWindow();
    this.mousedown(event);
  }

  private touch(event: TouchEvent): void {
    this.placeWindow();
    this.touchstart(event);
  }

  private turnWheel(event: WheelEvent): void {
    if (document.activeElement !== event.currentTarget) return;
    event.preventDefault();
    this.mousewheel_action(event.deltaY === 0 ? event.deltaX : event.deltaY, event);
    this.request_render();
  }

  private pressKey(event: KeyboardEvent): void {
    const turn = turns[event.key];
    const zoom = zooms[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (turn !== undefined) {
      this.controls.start(rotate, 0, 0);
      this.controls.move(...turn);
    } else if (zoom !== undefined) this.camera.zoom *= zoom;
    else if (event.key.toLowerCase() === 'r') this.recenter();
    else return;
    event.preventDefault();
    this.update_camera();
    this.request_render();
    if (turn !== undefined) requestAnimationFrame(() => this.controls.stop());
  }

  /** Replaces UglyMol's HTML output. */
  override hud(text?: string, kind?: string): void {
    if (kind !== 'HTML') this.events.onMessage(text ?? '');
  }

  /** @param text PDB lines from `modelText` */
  showModel(text: string): Model {
    const [model] = modelsFromPDB(text);
    if (model === undefined) throw new Error('no model');
    this.add_model(model);
    this.selected.bag = this.model_bags[0] ?? null;
    return model;
  }

  /** Shows the whole model. */
  showAll(steps: number): void {
    const { lower_bound: least, upper_bound: most } = this.selected.bag?.model ?? noBounds;
    const across = Math.hypot(...most.map((value, axis) => value - (least[axis] ?? 0)));
    this.zoomTo(across * 0.4);
    this.recenter(undefined, undefined, steps);
    this.request_render();
  }

  /** @param radius visible around the centre, in Å */
  private zoomTo(radius: number): void {
    this.camera.zoom = Math.min(this.camera.right, this.camera.top) / radius;
    this.update_camera();
  }

  showMap(name: MapName, density: Density): void {
    this.places.set(name, this.map_bags.length);
    this.add_map(mapOf(density), name === 'difference');
  }

  setVisible(name: MapName, visible: boolean): void {
    const bag = this.map_bags[this.places.get(name) ?? -1];
    if (bag !== undefined && bag.visible !== visible) this.toggle_map_visibility(bag);
  }

  levelOf(name: MapName): number | undefined {
    return this.map_bags[this.places.get(name) ?? -1]?.isolevel;
  }

  /** @param level multiples of the map's rms */
  setLevel(name: MapName, level: number): void {
    const now = this.levelOf(name);
    if (now === undefined) return;
    this.change_isolevel_by(this.places.get(name) ?? 0, level - now);
    this.request_render();
  }

  setScheme(scheme: keyof typeof schemes): void {
    this.config.color_scheme = schemes[scheme];
    this.set_colors();
    this.request_render();
  }

  /** Moves to a position, seen closely from outside the model. */
  goTo([x, y, z]: Point, steps: number): void {
    this.zoomTo(closely);
    this.recenter([x, y, z], undefined, steps);
    this.request_render();
  }

  /** Moves to the next residue of the polymer, cyclically. */
  nextResidue(): void {
    this.zoomTo(closely);
    this.center_next_residue(false);
    this.request_render();
  }

  /** Releases all resources. */
  end(): void {
    this.ending.abort();
    document.removeEventListener('mousemove', this.mousemove);
    document.removeEventListener('mouseup', this.mouseup);
    this.container = null;
    this.map_bags = [];
    this.model_bags = [];
    if (this.renderer === null) return;
    this.renderer.getContext().getExtension('WEBGL_lose_context')?.loseContext();
    this.renderer.domElement.remove();
    this.renderer.dispose();
  }
}

/** A ligand, or another residue of several atoms that is neither polymer nor water. */
export interface Site {
  readonly name: string;
  readonly position: Point;
}

const isOfPolymer = (atoms: readonly Atom[]): boolean =>
  ['N', 'CA', 'C'].every((name) => atoms.some((atom) => atom.name === name));

/** Terminal groups without a backbone. */
const caps: readonly string[] = ['ACE', 'FOR', 'NH2', 'NME'];

const nameOf = ({ resname, chain, seqid }: Atom): string => `${resname} ${chain} ${seqid}`;

export const atomName = (atom: Atom): string => `${nameOf(atom)} ${atom.name}`;

/** Residues of at least two atoms outside the polymer, in file order. */
export const ligandsOf = ({ atoms }: Model): readonly Site[] => {
  const residues = new Map<string, Atom[]>();
  for (const atom of atoms.filter(({ is_ligand }) => is_ligand === true)) {
    const members = residues.get(atom.resid()) ?? [];
    members.push(atom);
    residues.set(atom.resid(), members);
  }
  return [...residues.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined || members.length < 2 || isOfPolymer(members) || caps.includes(first.resname)) return [];
    const mean = (axis: 0 | 1 | 2): number => members.reduce((sum, { xyz }) => sum + xyz[axis], 0) / members.length;
    return [{ name: nameOf(first), position: [mean(0), mean(1), mean(2)] as const }];
  });
};

/** Atoms that name a peak: hydrogens are at the position of their atom. */
export const heavyAtoms = ({ atoms }: Model): readonly Atom[] => atoms.filter(({ element }) => element !== 'H');

/** The atom nearest to a point. @returns undefined for an empty model */
export const nearestAtom = ({ atoms }: Model, point: Point): Atom | undefined => {
  const distance = ({ xyz }: Atom): number => Math.hypot(...xyz.map((value, axis) => value - (point[axis] ?? 0)));
  return atoms.length === 0 ? undefined : atoms.reduce((best, atom) => (distance(atom) < distance(best) ? atom : best));
};

/** The atom nearest to the centre of a model; the centre itself may be empty. */
export const middleOf = (model: Model): Point => {
  const { atoms } = model;
  const mean = (axis: 0 | 1 | 2): number => atoms.reduce((sum, { xyz }) => sum + xyz[axis], 0) / atoms.length;
  return nearestAtom(model, [mean(0), mean(1), mean(2)])?.xyz ?? [0, 0, 0];
};

/** x, y and z of each atom. */
export const coordinatesOf = (atoms: readonly Atom[]): Float32Array<ArrayBuffer> => {
  const places = new Float32Array(atoms.length * 3);
  atoms.forEach(({ xyz }, at) => places.set(xyz, at * 3));
  return places;
};
