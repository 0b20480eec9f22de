const predictors = /alphafold|colabfold|esmfold|rosettafold|openfold|omegafold|\bboltz|\bchai-?1\b|plddt/i;

/** Whether a title or header line says that the model is a prediction. */
export const saysPrediction = (text: string): boolean => predictors.test(text);
