// @needs helm
import { find, podsOf, render } from './chart-command';

describe('the mail server', () => {
  it('gives its URL to the gateway alone, as a file', () => {
    const objects = render('shared-namespace');
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({
      FLEET_MAIL_FROM: 'fleet@example.org',
      FLEET_MAIL_DOMAINS: 'example.org',
    });
    const withFile = podsOf(objects).filter(({ spec }) => JSON.stringify(spec).includes('smtp-url'));
    expect(withFile.map(({ labels }) => labels['app.kubernetes.io/component'])).toEqual(['gateway']);
    const file = '/run/secrets/phenix-fleet-mail/smtp-url';
    expect(withFile[0]?.spec.containers[0]?.env).toContainEqual({ name: 'FLEET_SMTP_URL_FILE', value: file });
    expect(JSON.stringify(podsOf(render('minimal')))).not.toContain('smtp-url');
  });
});
