/** What of UglyMol 0.7 is used here; it comes without types. */
declare module 'uglymol' {
  type Triple = [number, number, number];

  export class UnitCell {
    constructor(a: number, b: number, c: number, alpha: number, beta: number, gamma: number);
    fractionalize(place: Triple): Triple;
    orthogonalize(place: Triple): Triple;
    readonly parameters: readonly number[];
  }
  export class GridArray {
    constructor(dimensions: Triple);
    dim: Triple;
    values: Float32Array;
  }
  export class ElMap {
    unit_cell: UnitCell | null;
    grid: GridArray | null;
    stats: { mean: number; rms: number };
    unit: string;
    /** @throws Error for what is not a map */
    from_ccp4(file: ArrayBuffer, expandSymmetry: boolean): void;
    abs_level(sigma: number): number;
  }
  export class Atom {
    readonly name: string;
    readonly resname: string;
    readonly chain: string;
    readonly seqid: string;
    readonly element: string;
    readonly xyz: Triple;
    readonly is_ligand: boolean | null;
    is_water(): boolean;
    resid(): string;
  }
  export class Model {
    readonly atoms: Atom[];
    readonly lower_bound: Triple;
    readonly upper_bound: Triple;
  }
  /** @throws Error for what is not a model */
  export const modelsFromPDB: (text: string) => Model[];
  export class Vector3 {
    readonly x: number;
    readonly y: number;
    readonly z: number;
  }
  interface ModelBag {
    readonly model: Model;
    visible: boolean;
  }
  interface MapBag {
    readonly map: ElMap;
    isolevel: number;
    visible: boolean;
  }
  export const STATE: Readonly<Record<'ROTATE' | 'PAN' | 'ZOOM' | 'PAN_ZOOM', number>>;
  export class Viewer {
    constructor(options: Readonly<Record<string, unknown>>);
    /** Null without WebGL. */
    readonly renderer: {
      readonly domElement: HTMLCanvasElement;
      setClearColor(colour: unknown, alpha: number): void;
      setPixelRatio(ratio: number): void;
      getContext(): WebGLRenderingContext;
      dispose(): void;
    } | null;
    readonly config: { color_scheme: string; map_radius: number; readonly colors: { readonly bg: unknown } };
    readonly camera: { zoom: number; readonly right: number; readonly top: number };
    readonly controls: {
      start(state: number, x: number, y: number, distance?: number): void;
      move(x: number, y: number, distance?: number): void;
      stop(): [number, number] | null;
    };
    readonly selected: { bag: ModelBag | null; atom: Atom | null };
    readonly target: Vector3;
    container: HTMLElement | null;
    window_offset: [number, number];
    model_bags: ModelBag[];
    map_bags: MapBag[];
    add_model(model: Model): void;
    add_map(map: ElMap, isDifference: boolean): void;
    toggle_map_visibility(map: MapBag): void;
    change_isolevel_by(map: number, by: number): void;
    recenter(place?: Triple, camera?: Triple, steps?: number): void;
    select_atom(picked: { readonly bag: ModelBag; readonly atom: Atom }, options: { readonly steps?: number }): void;
    center_next_residue(back: boolean): void;
    set_colors(): void;
    request_render(): void;
    update_camera(): void;
    redraw_maps(force?: boolean): void;
    resize(): void;
    hud(text?: string, kind?: string): void;
    keydown(event: KeyboardEvent): void;
    mousedown(event: MouseEvent): void;
    dblclick(event: MouseEvent): void;
    touchstart(event: TouchEvent): void;
    touchmove(event: TouchEvent): void;
    touchend(): void;
    mousewheel_action(delta: number, event: WheelEvent): void;
    mousemove: (event: MouseEvent) => void;
    mouseup: (event: MouseEvent) => void;
  }
}
