import { expect, it } from 'vitest';
import { newLinkToken } from '../../../../shared/domains/sharing/shares/index.ts';
import { loggedPath } from '../../../../shared/platform/http/middlewares/observe.ts';

it.for(['share', 'embed'] as const)('the token of a link of the kind %s is not logged', (kind) => {
  const { token } = newLinkToken(kind);
  for (const path of ['/api/shares/{token}/card-data', '/api/s/{token}', '/api/e/{token}']) {
    expect(loggedPath(path.replace('{token}', token))).toBe(path.replace('{token}', `${token.slice(0, 3)}…`));
  }
  expect(loggedPath('/api/e/view.js')).toBe('/api/e/view.js');
});
