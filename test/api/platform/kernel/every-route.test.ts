import { describe, expect } from 'vitest';
import { accessTokens } from '../../../../shared/platform/auth/access-token.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';
import { ROUTES, somePath, wrongBody } from '../../../support/samples.ts';

const guarded = ROUTES.filter((route) => route.permission !== 'public');
const withBody = ROUTES.filter((route) => route.body);

function send(api: Api, actor: Parameters<Api['as']>[0], route: (typeof ROUTES)[number], text?: string) {
  return api.as(actor).send(route.method, somePath(route), text === undefined ? {} : { text });
}

describe('every route', () => {
  it('answers 401 without a token, and to a malformed, a forged and an expired one', async ({ api }) => {
    const [head, body] = (await api.token('owner')).split('.');
    const forged = `${head}.${body}.${'A'.repeat(86)}`;
    const tokens = accessTokens(new MasterSecret(() => readMasterSecret(api.endpoint)));
    const claims = {
      userId: crypto.randomUUID(),
      companyId: api.companyId,
      workspaceId: api.workspaceId,
      sessionId: crypto.randomUUID(),
      membershipId: crypto.randomUUID(),
    };
    const expired = await tokens.issue(claims, new Date(Date.now() - 3_600_000));
    const withoutUser = await tokens.issue(claims, new Date());
    const unsigned = `${Buffer.from('{"alg":"none","kid":"v1"}').toString('base64url')}.${body}.`;
    const unknownKey = `ak_abcdefgh_${'A'.repeat(43)}`;
    const actors = [
      'anonymous',
      ...[forged, expired, withoutUser, unsigned, unknownKey, 'x'].map((token) => ({ token })),
    ] as const;
    // One after another, these thousands of requests would take longer than a test may on a busy machine.
    await Promise.all(
      actors.map(async (actor) => {
        for (const route of guarded) {
          const reply = await send(api, actor, route, route.body ? '{}' : undefined);
          expect(reply, route.operationId).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
        }
      }),
    );
  });

  it('refuses an API key that is limited to another object', async ({ api }) => {
    const resources = [{ type: 'pipeline', id: crypto.randomUUID() }];
    const { key } = (await api.as('owner').post('/api/api-keys', { name: 'limited', scope: 'admin', resources })).body;
    for (const route of guarded.filter(({ reachesByOperations }) => !reachesByOperations)) {
      const reply = await send(api, { token: key }, route, route.body ? '{}' : undefined);
      expect(reply, route.operationId).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });

  it('refuses a body that is not JSON, not of the declared shape, too large, or of another type', async ({ api }) => {
    for (const route of withBody) {
      const actor = route.permission === 'public' ? 'anonymous' : 'owner';
      expect(await send(api, actor, route, '{"a":'), route.operationId).toMatchObject({
        status: 400,
        body: { code: 'INVALID_JSON' },
      });
      expect(
        await send(api, actor, route, `"${'x'.repeat(route.maxBodyBytes ?? 1024 * 1024)}"`),
        route.operationId,
      ).toMatchObject({
        status: 413,
        body: { code: 'BODY_TOO_LARGE' },
      });
      const asText = await api.as(actor).send(route.method, somePath(route), {
        text: '{}',
        headers: { 'content-type': 'text/plain' },
      });
      expect(asText, route.operationId).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
      const wrong = wrongBody(route);
      const reply = await send(api, actor, route, wrong ? JSON.stringify(wrong) : '[]');
      expect(reply, route.operationId).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      if (wrong) {
        expect(reply.body.errors.length, route.operationId).toBeGreaterThan(0);
      }
    }
  });

  it('refuses path and query values that are not of the declared form', async ({ api }) => {
    for (const route of ROUTES) {
      const actor = route.permission === 'public' ? 'anonymous' : 'owner';
      const text = route.body ? '{}' : undefined;
      const options = text === undefined ? {} : { text };
      const properties = (schema: unknown) =>
        Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
      // Tables have names of every form.
      const ids = properties(route.params).filter((name) => name !== 'tableName');
      if (ids.length > 0) {
        const path = route.path.replaceAll(/\{\w+\}/g, 'not%20an%20id');
        const reply = await api.as(actor).send(route.method, path, options);
        expect(reply.status, route.operationId).toBe(400);
      }
      if (properties(route.query).includes('limit')) {
        const { required = [] } = route.query as { required?: string[] };
        const needed = required.map((name) => `&${name}=${crypto.randomUUID()}`).join('');
        const path = `${somePath(route)}?limit=nine&offset=-1${needed}`;
        const reply = await api.as(actor).send(route.method, path, options);
        expect(
          reply.body.errors?.map((issue: { pointer: string }) => issue.pointer),
          route.operationId,
        ).toEqual(expect.arrayContaining(['/query/limit']));
      }
    }
  });

  it('refuses an offset beyond 10,000', async ({ api }) => {
    for (const route of ROUTES.filter((candidate) => candidate.errors?.includes('OFFSET_TOO_LARGE'))) {
      if (route.path.includes('{')) continue;
      const reply = await api.as('owner').send(route.method, `${somePath(route)}?offset=10001`);
      expect(reply, route.operationId).toMatchObject({ status: 400, body: { code: 'OFFSET_TOO_LARGE' } });
    }
  });

  it('gives every reply a request id', async ({ api }) => {
    const reply = await api.as('owner').get('/api/auth/me');
    expect(reply.headers.get('x-request-id')).toMatch(/.+/);
    expect((await api.as('anonymous').get('/api/auth/me')).body.requestId).toMatch(/.+/);
  });

  it('answers 404 where there is no route, and names the methods where there is another', async ({ api }) => {
    expect(await api.as('owner').get('/api/auth/nothing-here')).toMatchObject({ status: 404 });
    const reply = await api.as('owner').send('DELETE', '/api/entitlements');
    expect(reply).toMatchObject({
      status: 405,
      body: { code: 'METHOD_NOT_ALLOWED', detail: 'The endpoint offers GET.' },
    });
    expect(reply.headers.get('allow')).toBe('GET, OPTIONS');
  });
});
