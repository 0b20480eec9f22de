import type { Model } from 'uglymol';
import { fetchFile } from '../../../api/calls';
import { sceneTexts } from '../../../texts/scene';
import {
  atomName,
  DensityView,
  heavyAtoms,
  ligandsOf,
  middleOf,
  nearestAtom,
  coordinatesOf,
  type MapName,
  type Site,
  type ViewEvents,
} from './density-view';
import type { MapAnswer, MapRequest } from './map-messages';
import { modelText } from './model-text';
import { middleOfMap, type Peak } from './peaks';
import type { Point } from './point';
import { mapLabels, type SceneFile } from './scene-files';

/** A peak, with the name of its nearest atom. */
export interface NamedPeak extends Omit<Peak, 'atom'> {
  readonly atom: string;
}

/** State of the page beside the picture. */
export interface SceneState {
  readonly ligands?: readonly Site[];
  readonly peaks?: readonly NamedPeak[];
  readonly maps: readonly MapName[];
  /** The map is still being calculated. */
  readonly isMapping: boolean;
  readonly problem?: string;
}

export const newScene: SceneState = { maps: [], isMapping: false };

/** Default level in rms: of a reconstruction, whose box is mostly empty; of a crystal UglyMol's own 1.5 and 3. */
const levelOfBox = 4;

export interface Opened {
  readonly model: SceneFile | undefined;
  readonly map: SceneFile | undefined;
  /** Initial position; absent: the first ligand, otherwise the centre. */
  readonly at: Point | undefined;
}

const fetched = async (file: SceneFile, signal: AbortSignal): Promise<Response> => {
  try {
    return await fetchFile(file.href, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error(sceneTexts.notFetched(error instanceof Error ? error.message : String(error)), { cause: error });
  }
};

/** A model and its maps in a frame of the page, until it is closed. */
export class OpenScene {
  readonly view: DensityView;
  private readonly ending = new AbortController();
  private state = newScene;
  private worker: Worker | undefined;
  private isBox = false;

  /** @throws Error if the browser has no WebGL */
  constructor(
    frame: HTMLElement,
    private readonly events: ViewEvents & { readonly scheme: 'light' | 'dark' },
    private readonly onState: (state: SceneState) => void,
  ) {
    this.view = new DensityView(frame, events, events.scheme);
  }

  /** Draws the model, then each map as soon as it is available. */
  async open({ model, map, at }: Opened): Promise<void> {
    try {
      this.tell({ isMapping: map !== undefined });
      const drawn = model && (await this.drawModel(model, at));
      if (this.ending.signal.aborted || map === undefined) return;
      const atoms = drawn === undefined ? [] : heavyAtoms(drawn);
      await this.makeMaps(map, coordinatesOf(atoms), atoms.map(atomName));
    } catch (error) {
      if (this.ending.signal.aborted) return;
      this.tell({ isMapping: false, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  private async drawModel(model: SceneFile, at: Point | undefined): Promise<Model | undefined> {
    const text = modelText(await (await fetched(model, this.ending.signal)).text(), model.file.facts.format);
    if (this.ending.signal.aborted) return undefined;
    const drawn = this.view.showModel(text);
    const ligands = ligandsOf(drawn);
    if (at === undefined) this.view.goTo(ligands[0]?.position ?? middleOf(drawn), 1);
    else this.lookAt(drawn, at);
    this.tell({ ligands });
    return drawn;
  }

  /** Also reports the atom at the position. */
  private lookAt(drawn: Model, point: Point): void {
    this.view.goTo(point, 1);
    const atom = nearestAtom(drawn, point);
    if (atom !== undefined) this.events.onMessage(atomName(atom));
  }

  private async makeMaps(map: SceneFile, atoms: Float32Array<ArrayBuffer>, names: readonly string[]): Promise<void> {
    const file = await (await fetched(map, this.ending.signal)).arrayBuffer();
    if (this.ending.signal.aborted) return;
    const { mtz } = map.file.facts;
    const request: MapRequest = { file, atoms, ...(mtz !== undefined && { labels: mapLabels(mtz.mapCoefficients) }) };
    this.isBox = mtz === undefined;
    this.worker = new Worker(new URL('./map-worker.ts', import.meta.url), { type: 'module' });
    this.worker.addEventListener('message', ({ data }: MessageEvent<MapAnswer>) => this.take(data, names));
    // No message if the worker cannot be loaded.
    this.worker.addEventListener('error', ({ message }) =>
      this.tell({ isMapping: false, problem: message || sceneTexts.mapFailed }),
    );
    this.worker.postMessage(request, [file, atoms.buffer]);
  }

  private take(answer: MapAnswer, names: readonly string[]): void {
    if (answer.kind === 'done') {
      this.tell({ isMapping: false });
      return;
    }
    if (answer.kind === 'problem') {
      this.tell({ isMapping: false, problem: answer.problem });
      return;
    }
    // Without a model there is no other initial position, and no atom near a peak.
    const isAlone = names.length === 0;
    if (isAlone && answer.kind === 'density') this.view.goTo(middleOfMap(answer.map), 1);
    this.view.showMap(answer.kind, answer.map);
    if (this.isBox) this.view.setLevel(answer.kind, levelOfBox);
    this.tell({ maps: [...this.state.maps, answer.kind] });
    if (answer.kind === 'difference' && !isAlone)
      this.tell({ peaks: answer.peaks.map((peak) => ({ ...peak, atom: names[peak.atom] ?? '' })) });
  }

  private tell(more: Partial<SceneState>): void {
    if (this.ending.signal.aborted) return;
    this.state = { ...this.state, ...more };
    this.onState(this.state);
  }

  goTo(point: Point, steps: number): void {
    this.view.goTo(point, steps);
  }

  end(): void {
    this.ending.abort();
    this.worker?.terminate();
    this.view.end();
  }
}
