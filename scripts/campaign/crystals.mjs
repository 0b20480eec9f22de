// The datasets of a campaign: copies of one real dataset that differ only in parts that programs ignore, some of them spoiled on purpose.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SetupProblem } from '../setup/progress.mjs';

/** One in this many datasets is spoiled. */
const spoiledEvery = 10;

function onlyOne(folder, ending) {
  const found = fs.readdirSync(folder).filter((name) => name.endsWith(ending));
  if (found.length === 1) return path.join(folder, found[0]);
  throw new SetupProblem(`${folder} has ${found.length} files *${ending}; a campaign takes a folder with one.`);
}

/** The folder's data file and model. Throws unless there is exactly one of each. */
export const crystalIn = (folder) => ({ data: onlyOne(folder, '.mtz'), model: onlyOne(folder, '.pdb') });

/**
 * The same reflections under another title. The second word of the file gives the header's offset, in words of four bytes; header records
 * have 80 characters. https://www.ccp4.ac.uk/html/mtzformat.html
 */
function titled(mtz, title) {
  const bytes = Buffer.from(mtz);
  const header = (bytes.readInt32LE(4) - 1) * 4;
  const at = header < 0 ? -1 : bytes.indexOf('TITLE ', header, 'latin1');
  if (at < 0) throw new SetupProblem('The data have no MTZ header with a title.');
  bytes.write(title.slice(0, 70).padEnd(70), at + 'TITLE '.length, 'latin1');
  return bytes;
}

/** A model of another crystal form than the data: its space group (columns 56 to 66 of CRYST1) differs. */
const ofAnotherForm = (model) =>
  model.replace(/^(CRYST1.{49})(.{11})/m, (_, before, group) => {
    const other = group.trim() === 'P 1' ? 'P 1 21 1' : 'P 1';
    return `${before}${other.padEnd(11)}`;
  });

/**
 * Writes the datasets to a folder. No two have the same content, and none has that of an earlier campaign.
 * @returns each as {name, data, model, repair}; a spoiled model has `repair`, which replaces it by the right one
 */
export function layOutCrystals({ data, model }, folder, count) {
  const campaign = randomBytes(6).toString('hex');
  const [reflections, atoms] = [fs.readFileSync(data), fs.readFileSync(model, 'latin1')];
  if (ofAnotherForm(atoms) === atoms) throw new SetupProblem(`${model} has no CRYST1 record.`);
  return Array.from({ length: count }, (_, index) => {
    const name = `crystal-${String(index + 1).padStart(4, '0')}`;
    const files = { data: path.join(folder, name, 'final.mtz'), model: path.join(folder, name, 'model.pdb') };
    const right = `REMARK   3 ${name} OF CAMPAIGN ${campaign.toUpperCase()}\n${atoms}`;
    const isSpoiled = index % spoiledEvery === spoiledEvery - 1;
    fs.mkdirSync(path.dirname(files.data), { recursive: true });
    fs.writeFileSync(files.data, titled(reflections, `${name} of campaign ${campaign}`));
    fs.writeFileSync(files.model, isSpoiled ? ofAnotherForm(right) : right, 'latin1');
    return { name, ...files, ...(isSpoiled && { repair: () => fs.writeFileSync(files.model, right, 'latin1') }) };
  });
}
