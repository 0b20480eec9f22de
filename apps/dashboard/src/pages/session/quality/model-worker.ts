import { modelText } from '../scene/model-text';
import type { ModelAnswer, ModelRequest } from './model-messages';
import { torsionsOf } from './ramachandran';
import { residueBs } from './residue-b';

/** Measures a model in a worker, so that the page stays responsive. */
const answerTo = ({ text, format }: ModelRequest): ModelAnswer => {
  try {
    const lines = modelText(text, format);
    return { measured: { residues: residueBs(lines), torsions: torsionsOf(lines) } };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
};

addEventListener('message', ({ data }: MessageEvent<ModelRequest>) => postMessage(answerTo(data)));
