import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { projectRules } from '@fleet/testing';
import { readAdvice, type AdviceReading } from './index';

const ruleBook = projectRules();

/** Requests, facts and small talk, each with the text that must be used or reported: as written, and as read. */
type Token = readonly [written: string, read: string];
const fragments: readonly (readonly [text: string, ...tokens: Token[]])[] = [
  ['use 2.5 Å', ['2.5', '2.5']],
  ['resolution 2,1', ['2,1', '2.1']],
  ['refine to 1.9 Å', ['1.9', '1.9']],
  ['the resolution is 3.2 Å', ['3.2', '3.2']],
  ['data go to 1.4 A', ['1.4', '1.4']],
  ['space group P2(1)2(1)2(1)', ['P2(1)2(1)2(1)', 'P212121']],
  ['space group P 43 21 2', ['P 43 21 2', 'P43212']],
  ['in P6122', ['P6122', 'P6122']],
  ['not P41212', ['P41212', 'P41212']],
  ['refine it in C2', ['C2', 'C2'], ['refine', 'phenix.refine']],
  ['reprocess in P1 instead of C2', ['P1', 'P1'], ['C2', 'C2']],
  ['run refmac', ['refmac', '"no":0']],
  ['look at chain B', ['chain B', '"no":0']],
  ['ignore old_y.pdb and take new_y.pdb', ['old_y.pdb', 'old_y.pdb'], ['new_y.pdb', 'new_y.pdb']],
  ['the resolution is 2.6 Å but do not use it, please', ['2.6', '"no":0']],
  ['cell 77 78 38 90 90 90', ['77 78 38', '77 78 38']],
  ['two copies', ['two copies', 'copies']],
  ['search for 7 copies', ['7', '7']],
  ['wavelength 0.9793', ['0.9793', '0.9793']],
  ['find 8 Se sites', ['8', '"sites":8']],
  ['use twin law h,-h-k,-l', ['h,-h-k,-l', 'h,-h-k,-l']],
  ['do not use the twin law -h,-k,l', ['-h,-k,l', 'twin_law']],
  ['do not use resolution 2.7', ['2.7', '"no":0']],
  ['do not use 2.8 Å', ['2.8', '"no":0']],
  ['run phaser', ['phaser', 'phenix.phaser']],
  ['run PredictAndBuild', ['PredictAndBuild', 'phenix.predict_and_build']],
  ['skip autobuild', ['autobuild', 'phenix.autobuild']],
  ['use autosol rather than phaser', ['autosol', 'phenix.autosol'], ['phaser', 'phenix.phaser']],
  ['after polder', ['polder', 'phenix.polder']],
  ['the molprobity report was fine', ['molprobity', 'phenix.molprobity']],
  ['xtriage looked good', ['xtriage', 'phenix.xtriage']],
  ['do rigid-body refinement', ['rigid-body', '"no":0'], ['refinement', 'phenix.refine']],
  ['refine occupancies', ['occupancies', '"no":0'], ['refine', 'phenix.refine']],
  ['use labels FP,SIGFP', ['labels FP,SIGFP', '"no":0']],
  ['mutate residue 55', ['mutate', '"no":0'], ['55', '"no":0']],
  ['improve the map', ['improve', '"no":0']],
  ['use model_b.pdb', ['model_b.pdb', 'model_b.pdb']],
  ['compare it to old_x.pdb', ['old_x.pdb', 'old_x.pdb']],
  ['3 macro-cycles', ['3', '3']],
  ['stop at cycle 4', ['4', '"after_cycle":4']],
  ['refine twice', ['twice', '"max_refine_cycles":']],
  ['R-free below 0.24', ['0.24', '0.24']],
  ['the crystal is 120 µm long', ['120', '"no":0']],
  ['use 16 processors', ['16', '16']],
  ['add waters', ['waters', 'ordered_solvent']],
  ['without TLS', ['TLS', '"tls":false']],
  ['with hydrogens', ['hydrogens', 'hydrogens']],
  ['reference model restraints', ['reference model', '"no":0']],
  ['collected at 100 K', ['100', '"no":0']],
  ['do not use data beyond 2.9 Å', ['2.9', '2.9']],
  ['everything else at 2.3 Å', ['2.3', '2.3']],
  ['phaser found 6 copies', ['6', '"no":0'], ['phaser', 'phenix.phaser']],
  ['at least 9 copies', ['9', '"no":0']],
  ['the space group could also be P6522', ['P6522', 'P6522']],
  ['TLS off', ['TLS', '"tls":false']],
  ['take the flags from flags.mtz', ['flags.mtz', 'flags.mtz']],
  ['no refinement with TLS', ['TLS', '"tls":']],
  ['use autosol rather than phaser with hydrogens', ['phaser', 'phenix.phaser'], ['hydrogens', 'hydrogens']],
  ['TFZ=8.1, 4 sites', ['8.1', '"no":0'], ['4 sites', '"sites":4']],
  ['my boss said 5 copies', ['5', '"no":0']],
  ['validate the model'],
];

const joiners = ['. ', '; ', ', ', ' and ', ' but ', ', then ', '\n'];

/** All effects of a reading. */
const followed = ({
  directives: { constraints = [], ...directives },
  requestedPrograms,
  conflicts,
  understood,
}: AdviceReading): string =>
  JSON.stringify({ directives, requestedPrograms, conflicts, says: understood.map(({ says }) => says) }) +
  constraints.join('\n');

/** Parts of a text that are neither used nor reported. */
const lost = (text: string, tokens: readonly Token[]): readonly string[] => {
  const reading = readAdvice(text, ruleBook, { experiment: 'xray' });
  const [used, reported] = [followed(reading), reading.notFollowed.map(({ words }) => words.toLowerCase())];
  return tokens
    .filter(
      ([written, read]) => !used.includes(read) && !reported.some((words) => words.includes(written.toLowerCase())),
    )
    .map(([written]) => written);
};

describe('all domain terms in a text', () => {
  it.each(fragments.map(([text, ...tokens]) => [text, tokens] as const))(
    'are used or reported as unused: %s',
    (text, tokens) => {
      expect(lost(text, tokens)).toEqual([]);
    },
  );

  it('are used or reported as unused, in any combination', () => {
    const parts = fc.array(fc.tuple(fc.constantFrom(...fragments), fc.constantFrom(...joiners)), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(parts, (chosen) => {
        const text = chosen.map(([[words], joiner]) => words + joiner).join('');
        expect([
          text,
          ...lost(
            text,
            chosen.flatMap(([[, ...tokens]]) => tokens),
          ),
        ]).toEqual([text]);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(
    (load(readFileSync(join(__dirname, 'fixtures/wordings.yaml'), 'utf8')) as readonly { text: string }[]).map(
      ({ text }) => text,
    ),
  )('are used or reported as unused, above all numbers and files: %s', (text) => {
    const numbers = [...text.matchAll(/(?<![\w.,/-])\d+(?:[.,]\d+)?(?![\w.,/(-])/g)].map(
      ([number]): [string, string] => [number, String(Number(number.replace(',', '.')))],
    );
    expect(lost(text, numbers)).toEqual([]);
  });
});
