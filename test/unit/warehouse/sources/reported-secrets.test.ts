import { expect, it } from 'vitest';
import { withoutSecrets } from '../../../../shared/data/connectors/connection/reported-secrets.ts';

it('masks secrets in an error, in all that it carries and in its causes, in every form that they take', () => {
  const secret = 'p/+ss wörd';
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];
  const cause = Object.assign(new Error(forms.join(' ')), { hint: forms.join(' '), errno: 1045 });
  const error = withoutSecrets(new Error(`before ${secret} after`, { cause }), [secret]) as Error;
  expect(error.message).toBe('before ****** after');
  for (const reports of [error.stack, cause.message, cause.hint, cause.stack]) {
    expect(reports).toContain('******');
    for (const form of forms) expect(reports).not.toContain(form);
  }
  expect(cause.errno).toBe(1045);
});

it('takes a secret that is no text in any encoding, and what is no error', () => {
  expect((withoutSecrets(new Error('reported \ud800abc'), ['\ud800abc']) as Error).message).toBe('reported ******');
  expect(withoutSecrets('nothing', ['nothing'])).toBe('nothing');
});
