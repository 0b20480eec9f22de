import { ChoiceVariable, FileVariable } from './variable.decorator';

/** Who gets in, and what becomes of those who are too many. */
export class DoorConfig {
  @FileVariable('FLEET_INITIAL_ADMIN_KEY_FILE', {
    what: "file with an administrator's key of the API (`phx_…`), which the gateway knows from its start on: how the first key comes into a facility; for its owner's eyes alone, never in the work folder",
    optional: true,
  })
  readonly initialAdminKeyFile?: string;

  @ChoiceVariable('FLEET_WITHOUT_KEYS', {
    what: 'what a gateway does that knows nobody because no key was ever made: `loopback`, it listens on this machine alone and does not start with another FLEET_GATEWAY_HOST; `anywhere`, it listens there and lets everybody do everything',
    default: 'loopback',
    choices: ['loopback', 'anywhere'],
  })
  readonly withoutKeys: 'loopback' | 'anywhere';
}
