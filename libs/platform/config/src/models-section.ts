import { FileVariable } from './variable.decorator';

/** Language models (docs/models.md). Read only by the decision worker. */
export class ModelsConfig {
  @FileVariable('FLEET_MODELS_FILE', {
    what: 'YAML file of the language models that are asked which program of the menu runs next, and in which order (docs/models.md); without it the rules decide alone, and nothing is connected to',
    optional: true,
  })
  readonly file?: string;
}
