import type { FileFacts } from '@fleet/contracts';

const predictors = /alphafold|colabfold|esmfold|rosettafold|openfold|omegafold|\bboltz|\bchai-?1\b|plddt/i;

/** Whether a title or header line says that the model is a prediction. */
export const saysPrediction = (text: string): boolean => predictors.test(text);

/** Whether the header and the cell say that a model was predicted; undefined where neither says anything. */
export const saidPrediction = (said: {
  readonly experiment: boolean;
  readonly prediction: boolean;
  readonly cell: FileFacts['cell'];
}): boolean | undefined => {
  if (said.experiment) return false;
  if (said.prediction) return true;
  return said.cell === undefined ? undefined : false;
};
