import { Controller } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import { settingDefinitions, type SettingsView } from '@fleet/contracts/service';
import { Handles } from '../../http/handles.decorator';

@Controller()
export class SettingsController {
  /** What a submission may set. */
  @Handles(routes.settings.settings)
  settings(): SettingsView {
    return { settings: settingDefinitions };
  }

  /** Answers and does nothing else: the measure for every other address of this server. */
  @Handles(routes.settings.ping)
  ping(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }
}
