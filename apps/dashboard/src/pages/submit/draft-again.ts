import type { SettingDefinition } from '@fleet/contracts/service';
import { lineOfLigand, type SessionView } from '@fleet/contracts/sessions';
import { adviceNow } from '../../advice/advice-draft';
import type { Draft } from './draft';

type Definitions = Readonly<Record<string, SettingDefinition>>;

const typed = (value: unknown): string | boolean => {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join(', ') : String(value);
};

/** The settings that differ from their defaults. */
const changed = (settings: object, definitions: Definitions): Draft['settings'] =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(definitions[name]?.default))
      .map(([name, value]) => [name, typed(value)]),
  );

/** A draft equal to a session's submission: its current files, ligands, settings and texts. */
export const draftAgain = (session: SessionView, definitions: Definitions): Draft => {
  const { inputs, title, proposal, beamline, settings, ligands = [] } = session.request;
  return {
    files: inputs.map(({ path }) => path),
    title,
    proposal,
    beamline,
    advice: adviceNow(session),
    codes: ligands.flatMap(({ code = [] }) => code).join(' '),
    smiles: ligands
      .filter(({ smiles }) => smiles !== undefined)
      .map(lineOfLigand)
      .join('\n'),
    settings: changed(settings, definitions),
  };
};
