import type { FilePreferences } from '@fleet/contracts/guidance';
import type { SessionFile } from '@fleet/contracts/sessions';
import { freeSetFor, matchesByName, sequenceContent, type SlotChoice } from '@fleet/files';
import { holds, type Facts, type InputSlot } from '@fleet/knowledge-model';
import { componentsIn, componentsOf } from '@fleet/workflow';
import type { CommandRequest, SelectedFile } from './command-types';
import { inputFacts } from './input-facts';

/** Slots with the model of a command, whose components decide which dictionaries are included. */
const modelSlots: ReadonlySet<string> = new Set(['model', 'protein']);

interface Selection extends Pick<SelectedFile, 'isRequested' | 'why'> {
  readonly files: readonly SessionFile[];
}

const matchesCodes = (file: SessionFile, slot: InputSlot, model: SessionFile | undefined, facts: Facts): boolean => {
  if (slot.codes === undefined) return true;
  const held = componentsIn(model);
  const codes = componentsOf(file);
  if (model?.facts.model === undefined || codes.length === 0)
    return slot.codes === 'in_model' || file.facts.restraints === undefined;
  if (slot.codes === 'in_model') return codes.some((code) => held.includes(code));
  const wanted = facts.ligand_code;
  return typeof wanted === 'string' ? codes.includes(wanted) : codes.some((code) => !held.includes(code));
};

/** Whether a file may be used in a slot at all. */
const admitter = (
  slot: InputSlot,
  request: CommandRequest,
  model: SessionFile | undefined,
): ((file: SessionFile) => boolean) => {
  const excluded = new Set((slot.exclude ?? []).flatMap((category) => request.files.byCategory.get(category) ?? []));
  return (file) =>
    slot.formats.includes(file.facts.format) && !excluded.has(file) && matchesCodes(file, slot, model, request.facts);
};

const take = (slot: InputSlot, given: readonly SessionFile[] | undefined, why: string): Selection | undefined => {
  if (given === undefined || given.length === 0) return undefined;
  if (slot.multiple !== true || !slot.formats.includes('sequence'))
    return { files: slot.multiple === true ? given : given.slice(0, 1), why };
  const { files } = sequenceContent(given);
  return { files, why: files.length === 1 ? why : `${String(files.length)} files are one content, all chains of them` };
};

/** The file selection for one slot. */
interface SlotSearch {
  readonly slot: InputSlot;
  readonly request: CommandRequest;
  readonly facts: Facts;
  readonly admits: (file: SessionFile) => boolean;
  /** The file of slot `data`, once it is selected. */
  readonly data?: SessionFile | undefined;
}

const inCategory = ({ request, admits }: SlotSearch, category: string): readonly SessionFile[] =>
  (request.files.byCategory.get(category) ?? []).filter(admits);

const locked = ({ slot, request }: SlotSearch): Selection | undefined => {
  const file = slot.free_flags === 'locked' ? request.files.lockedFreeFlags : undefined;
  return file !== undefined && slot.formats.includes(file.facts.format)
    ? {
        files: [file],
        why:
          freeSetFor(file, request.files.all) === undefined
            ? 'its R-free flags are locked for the session'
            : 'its R-free flags, in a file of their own, are locked for the session',
      }
    : undefined;
};

/** The test set of the data, from a separate file. */
const apart = ({ slot, request, data }: SlotSearch): Selection | undefined => {
  const file = data && freeSetFor(data, request.files.all);
  return file !== undefined && slot.formats.includes(file.facts.format)
    ? { files: [file], why: 'the R-free flags of this file belong to the data, which have none' }
    : undefined;
};

const preferred = (search: SlotSearch, beforeLock = false): Selection | undefined => {
  for (const { category, when, before_lock, why } of search.slot.prefer ?? []) {
    if (beforeLock && before_lock !== true) continue;
    const found = holds(when, search.facts) ? take(search.slot, inCategory(search, category), why) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

/** The client's best file for this slot, by the slot's scoring, its name or its first category. */
const statedFor = ({ slot, request, admits }: SlotSearch): Selection | undefined => {
  const names = [slot.best, slot.slot, slot.categories[0]];
  const files = names.map((name) => request.files.stated?.get(name ?? '')).find((found) => found !== undefined);
  return take(slot, files?.filter(admits), 'the best file according to the request');
};

const best = ({ slot, request, admits }: SlotSearch): Selection | undefined => {
  const file = slot.best === undefined ? undefined : request.files.best.get(slot.best)?.file;
  return file !== undefined && admits(file) ? { files: [file], why: `the best file of ${slot.best ?? ''}` } : undefined;
};

const categorised = (search: SlotSearch): Selection | undefined => {
  for (const category of search.slot.categories) {
    const found = take(search.slot, inCategory(search, category), `newest of ${category}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Whether a file was read, and holds neither measurements nor a macromolecule. */
const holdsNothing = ({ facts: { mtz, model } }: SessionFile): boolean =>
  mtz?.observations.length === 0 || model?.polymerResidues === 0;

/** Working files of programs are never inputs, whatever their format. */
const byFormat = ({ slot, request, admits }: SlotSearch): Selection | undefined => {
  if (slot.by_format !== true) return undefined;
  const working = new Set(request.files.byCategory.get('intermediate'));
  const files = request.files.all
    .toReversed()
    .filter((file) => admits(file) && !working.has(file) && !holdsNothing(file));
  return take(slot, files, 'the newest file of the right format');
};

/** The file preference that applies to a slot. */
const preferenceOf: Readonly<Record<string, Exclude<keyof FilePreferences, 'exclude'>>> = {
  model: 'model',
  protein: 'model',
  sequence: 'sequence',
  data: 'data_mtz',
  map_coeffs_mtz: 'map_coeffs_mtz',
};

const preferredName = ({ slot, request }: SlotSearch): string | undefined => {
  const key = preferenceOf[slot.slot];
  return key === undefined ? undefined : request.files.preferences?.[key];
};

/** The submitter's preferred file; a better file that the session derived from it takes precedence. */
const requested = (search: SlotSearch, usual: Selection | undefined): Selection | undefined => {
  const name = preferredName(search);
  if (name === undefined) return undefined;
  const newest = Math.max(0, ...(usual?.files ?? []).map(({ cycle }) => cycle));
  const mayBe = (one: SessionFile): boolean =>
    matchesByName(one.path, name) && search.admits(one) && one.cycle >= newest;
  const file = search.request.files.all.find(mayBe);
  return file === undefined ? undefined : { files: [file], why: 'the submitter prefers it', isRequested: true };
};

/** The files of the search plan, all or none. */
const planned = ({ slot, request, admits }: SlotSearch): Selection | undefined => {
  const files = slot.planned === undefined ? undefined : request.files.planned?.[slot.planned];
  return files?.every(admits) === true ? take(slot, files, 'the plan of the search names it') : undefined;
};

/**
 * The order of phenix-agent.md#file-selection: (measured phases, with their free set), locked R-free data, (a category with precedence now),
 * best file, categories, format.
 */
const choose = (search: SlotSearch): Selection | undefined => {
  if (search.slot.free_flags === 'apart') return apart(search);
  const fixed = preferred(search, true) ?? locked(search) ?? planned(search);
  if (fixed !== undefined) return fixed;
  const usual = preferred(search) ?? statedFor(search) ?? best(search) ?? categorised(search) ?? byFormat(search);
  return requested(search, usual) ?? usual;
};

export interface FileSelection {
  readonly selected: readonly SelectedFile[];
  /** The session's facts and `input.<slot>.…` of the selected files. */
  readonly facts: Facts;
  readonly missing?: string;
}

const missingSlot = ({ program }: CommandRequest, filled: ReadonlySet<string>): string | undefined => {
  const slot = program.inputs.find((one) => one.required === true && !filled.has(one.slot));
  if (slot !== undefined) return `${program.name}: no file for its input "${slot.slot}"`;
  const group = program.any_of?.find((slots) => !slots.some((name) => filled.has(name)));
  return group === undefined
    ? undefined
    : `${program.name}: no file for any of its inputs ${group.map((name) => `"${name}"`).join(', ')}`;
};

const isUsed = ({ slot, when }: InputSlot, { recovery }: CommandRequest, facts: Facts): boolean =>
  (when === undefined || holds(when, facts)) && recovery?.dropSlots.includes(slot) !== true;

/** A slot with its selected files, and its candidates. */
interface FilledSlot {
  readonly slot: InputSlot;
  /** The model that was selected before it. */
  readonly model: SessionFile | undefined;
  readonly chosen: Selection | undefined;
}

const isEnough = ({ minimum = 1 }: InputSlot, chosen: Selection | undefined): chosen is Selection =>
  chosen !== undefined && chosen.files.length >= minimum;

/** The used slots, in the order of the command, and the facts of their files. */
const fillSlots = (request: CommandRequest) => {
  // The session's hundreds of facts are inherited, not copied; those of the inputs are added on top.
  const facts = Object.create(request.facts) as Record<string, Facts[string]>;
  let model: SessionFile | undefined;
  let data: SessionFile | undefined;
  const slots: FilledSlot[] = [];
  for (const slot of request.program.inputs) {
    if (!isUsed(slot, request, facts)) continue;
    const admits = admitter(slot, request, model);
    const found = choose({ slot, request, facts, admits, data });
    const chosen = isEnough(slot, found) ? found : undefined;
    slots.push({ slot, model, chosen });
    if (chosen === undefined) continue;
    const { files } = chosen;
    if (modelSlots.has(slot.slot)) model = files[0];
    if (slot.slot === 'data') data = files[0];
    Object.assign(facts, inputFacts(slot.slot, files, request.files.lockedFreeFlags));
  }
  return { slots, facts };
};

/** Stage 1: fills the slots in the order of the command. */
export const selectFiles = (request: CommandRequest): FileSelection => {
  const { slots, facts } = fillSlots(request);
  const selected = slots.flatMap(({ slot, chosen }): readonly SelectedFile[] => {
    if (chosen === undefined) return [];
    const { files, ...how } = chosen;
    return files.map((file) => ({ slot, file, ...how }));
  });
  const missing = missingSlot(request, new Set(selected.map(({ slot }) => slot.slot)));
  return { selected, facts, ...(missing === undefined ? {} : { missing }) };
};

/** The files that each slot of a program would use, and its candidates. */
export const slotChoices = (request: CommandRequest): readonly SlotChoice[] => {
  // Any missing ligand, not only the one that is fitted next.
  const facts = Object.create(request.facts, { ligand_code: { value: undefined } }) as CommandRequest['facts'];
  return fillSlots(request).slots.map(({ slot, model, chosen }) => {
    const admits = admitter(slot, { ...request, facts }, model);
    const selected = chosen?.files ?? [];
    const named = slot.categories.flatMap((name) => request.files.byCategory.get(name) ?? []);
    return {
      program: request.program.name,
      slot: slot.slot,
      categories: slot.categories,
      selected,
      candidates: [...new Set([...named.filter(admits), ...selected])],
      ...(slot.codes === 'not_in_model'
        ? { others: 'follow' }
        : slot.planned === undefined
          ? {}
          : { others: 'replace' }),
    };
  });
};
