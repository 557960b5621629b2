import { describe, expect } from 'vitest';
import { type Api, it, LOCAL } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { EVENT } from '../../events/webhooks/given.ts';

/** Spellings of the platform's own address. */
function ownAddresses({ endpoint }: Api): string[] {
  const { port } = new URL(endpoint);
  return ['127.0.0.1', 'localhost', '127.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'].map(
    (host) => `http://${host}:${port}`,
  );
}

const BLOCKED = 'BLOCKED';

describe("the platform's own port", () => {
  it('is closed to HTTP sources, whose holder could read the objects of other tenants there', async ({ api }) => {
    const { name } = await dataBucket(api.endpoint);
    for (const baseUrl of ownAddresses(api)) {
      const endpoints = [{ name: 'objects', path: `/${name}?list-type=2` }];
      const body = { name: 'own', type: 'http', config: { baseUrl, endpoints }, secrets: {} };
      expect(await api.as('owner').post('/api/data-sources', body), baseUrl).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/config/baseUrl', code: BLOCKED }] },
      });
    }
  });

  it('is closed to buckets as sources', async ({ api }) => {
    const { name: bucket } = await dataBucket(api.endpoint);
    const { accessKeyId, secretAccessKey } = LOCAL.credentials;
    for (const endpoint of ownAddresses(api)) {
      const config = { bucket: `${bucket}-other`, endpoint };
      const body = { name: 'own', type: 's3', config, secrets: { accessKeyId, secretAccessKey } };
      expect(await api.as('owner').post('/api/data-sources', body), endpoint).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/config/endpoint', code: BLOCKED }] },
      });
    }
  });

  it('is closed to webhooks', async ({ api }) => {
    for (const url of ownAddresses(api)) {
      const body = { name: 'own', url: `${url}/api/login`, kind: 'generic', events: [EVENT] };
      expect(await api.as('owner').post('/api/webhooks', body), url).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/url' }] },
      });
    }
  });
});
