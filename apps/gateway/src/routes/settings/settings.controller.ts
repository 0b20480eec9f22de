import { Controller } from '@nestjs/common';
import { routes } from '@fleet/contracts/routes';
import { settingDefinitions, type SettingsView } from '@fleet/contracts/service';
import { Handles } from '../../http/handles.decorator';

@Controller()
export class SettingsController {
  /** The settings of a submission. */
  @Handles(routes.settings.settings)
  settings(): SettingsView {
    return { settings: settingDefinitions };
  }

  /** Only responds: the baseline for the response time of this server's other routes. */
  @Handles(routes.settings.ping)
  ping(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }
}
