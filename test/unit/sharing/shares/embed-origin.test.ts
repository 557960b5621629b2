import { describe, expect, it } from 'vitest';
import { embedOrigin } from '../../../../functions/sharing/embedding/embed-origin.ts';
import type { AppError, Issue } from '../../../../shared/platform/errors/app-error.ts';

async function issueOf(text: string): Promise<Issue> {
  const { errors } = (await embedOrigin(text).catch((error: unknown) => error)) as AppError;
  return errors[0]!;
}

describe('the origin of an embed domain', () => {
  it.each([
    ['HTTPS://App.Example.com:443/', 'https://app.example.com'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
    ['https://*.example.co.uk', 'https://*.example.co.uk'],
    ['https://*.Bücher.de', 'https://*.xn--bcher-kva.de'],
    // A name that no registry offers belongs to the network of the company.
    ['https://*.corp.internal', 'https://*.corp.internal'],
    ['https://*.acme.github.io', 'https://*.acme.github.io'],
    ['https://co.uk', 'https://co.uk'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('of %s is %s', async (text, origin) => expect(await embedOrigin(text)).toBe(origin));

  it.each(['com', 'co.uk', 'github.io', 's3.amazonaws.com', 'anything.ck', 'xn--p1ai', 'internal'])(
    'has no wildcard directly below the public suffix %s',
    async (suffix) => {
      const { code, message } = await issueOf(`https://*.${suffix}:8443`);
      expect(code).toBe('PUBLIC_SUFFIX');
      expect(message).toContain(`such as https://*.example.${suffix}: `);
    },
  );

  it.each(['https://*', 'https://a.*.example.com', '*.example.com', 'https://*example.com', 'http://*.example.com'])(
    'is not %s',
    async (text) => expect((await issueOf(text)).code).toBe('FORMAT'),
  );
});
