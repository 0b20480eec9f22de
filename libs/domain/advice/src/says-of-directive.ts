import { directivePath, type ModelDirective } from './model-directive';

type Says = (value: string) => string;

const sentences: Readonly<Record<string, Says>> = {
  after_program: (program) => `The session ends when ${program} has succeeded.`,
  start_with_program: (program) => `${program} runs first.`,
  after_cycle: (cycle) => `The session ends after cycle ${cycle}.`,
  max_refine_cycles: (count) => `At most ${count} ${count === '1' ? 'refinement is' : 'refinements are'} made.`,
  skip_validation: (value) => `The session ${value === 'true' ? 'may end' : 'does not end'} without validation.`,
  r_free_target: (value) => `The target of R-free is ${value}.`,
  map_cc_target: (value) => `The target of the map correlation is ${value}.`,
  exclude: (file) => `${file} is not used.`,
  skip_programs: (program) => `${program} is left out.`,
  prefer_programs: (program) => `${program} goes first wherever offered.`,
  use_experimental_phasing: (value) =>
    value === 'true' ? 'Experimental phasing goes before molecular replacement.' : 'No experimental phasing is done.',
  use_mr_sad: () => 'Molecular replacement comes first, then phasing with the placed model (MR-SAD).',
  use_molecular_replacement: () => 'Molecular replacement goes before experimental phasing.',
  model_is_placed: () => 'The submitted model is in its place.',
};

/** The effect of a directive in one sentence, in the words of the rules. */
export const saysOfDirective = ({ field, value }: ModelDirective): string => {
  const path = directivePath(field);
  const text = String(value);
  if (path?.section === 'program_settings') {
    const whose = path.program === 'default' ? 'every program that knows it' : path.program;
    return `${path.key} is ${text} for ${whose}.`;
  }
  const says = sentences[path?.key ?? ''];
  return says === undefined ? `${text} is used.` : says(text);
};
