import { isMailAddress, mailAddressForm, mailDomainForms, readMailDomains } from '@fleet/contracts/webhooks';
import { mailServerForms, readMailServer } from './mail-server';
import { TextVariable } from './variable.decorator';

/** E-mail notifications of sessions and batches (docs/notifications.md). Read only by the gateway. */
export class MailConfig {
  @TextVariable('FLEET_SMTP_URL', {
    what: 'mail server for notifications. Not set: no e-mail',
    optional: true,
    secret: true,
    pattern: /^\S{1,1000}$/,
    holds: (text) => readMailServer(text) !== undefined,
    allowed: mailServerForms,
  })
  readonly server?: string;

  @TextVariable('FLEET_MAIL_FROM', {
    what: 'sender address of e-mail; required with FLEET_SMTP_URL. Receives undeliverable messages',
    optional: true,
    pattern: /^\S+$/,
    holds: isMailAddress,
    allowed: mailAddressForm,
  })
  readonly from?: string;

  @TextVariable('FLEET_MAIL_DOMAINS', {
    what: 'allowed domains of e-mail recipients; required with FLEET_SMTP_URL',
    optional: true,
    pattern: /^[A-Za-z0-9*., -]*[A-Za-z0-9][A-Za-z0-9*., -]*$/,
    holds: (text) => readMailDomains(text) !== undefined,
    allowed: mailDomainForms,
  })
  readonly domains?: string;
}
