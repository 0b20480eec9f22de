import { Controller, Get } from '@nestjs/common';
import { settingDefinitions, type SettingsView } from '@fleet/contracts';
import { Requires } from '../access/requires.decorator';
import { PingDocs, SettingsDocs } from '../openapi/service-docs';

@Controller('v1')
export class SettingsController {
  /** What a submission may set. */
  @Get('settings')
  @Requires('service.read')
  @SettingsDocs()
  settings(): SettingsView {
    return { settings: settingDefinitions };
  }

  /** Answers and does nothing else: the measure for every other address of this server. */
  @Get('ping')
  @Requires('service.read')
  @PingDocs()
  ping(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }
}
