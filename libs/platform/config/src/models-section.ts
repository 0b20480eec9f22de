import { FileVariable } from './variable.decorator';

/** Language models (docs/models.md). Read only by the decision worker. */
export class ModelsConfig {
  @FileVariable('FLEET_MODELS_FILE', {
    what: 'YAML file with the language models and their roles (docs/models.md). Not set: only the rules decide, and no connection is opened',
    optional: true,
  })
  readonly file?: string;
}
