import { expect } from 'vitest';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { cursors } from '../../../../shared/platform/http/cursor.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { givenProvisioner, givenUser, patchOf, SCIM } from '../../../support/given/provisioner.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';
import { newCertificate } from '../../../support/saml-provider.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

async function sealed(api: Api, list: unknown[], at = new Date()): Promise<string> {
  const sealer = cursors(new MasterSecret(() => readMasterSecret(api.endpoint)));
  const place = { after: '2026-01-01T00:00:00.000Z#x', asOf: at.toISOString() };
  return sealer.seal(place, { workspaceId: api.workspaceId, list } as never, at);
}

it('workspaces and companies are changed only in the revision that was read', async ({ api }) => {
  const owner = api.as('owner');
  const headers = { 'if-match': '"999"' };
  const stale = { status: 412, body: { code: 'PRECONDITION_FAILED' } };
  const workspace = `/api/workspaces/${api.workspaceId}`;
  expect(await owner.patch('/api/workspaces/current', { name: 'New' }, { headers })).toMatchObject(stale);
  expect(await owner.delete(`${workspace}?confirm=Test`, { headers })).toMatchObject(stale);
  expect(await owner.delete('/api/company?confirm=owner', { headers })).toMatchObject(stale);
});

it('cursors of access lists, of the feed and of the audit log are bound to their list and expire', async ({ api }) => {
  const owner = api.as('owner');
  const { body: model } = await owner.post('/api/models', { name: 'Sales', sourceId: 'datasets' });
  const metric = await givenMetric(api, (await givenSalesModel(api, 'Of metrics')).definition);
  const { body: dashboard } = await owner.post('/api/dashboards', { name: 'Sales' });
  const { body: report } = await owner.post('/api/reports', { name: 'Sales' });
  const { body: story } = await owner.post('/api/stories', { title: 'Sales', sections: [{ title: 'Weeks' }] });
  const { body: blend } = await owner.post('/api/composite-models', (await givenShopAndDesk(api)).body);
  const access = `/api/models/${model.id}/access?cursor=`;
  for (const list of [access, `/api/composite-models/${blend.id}/access?cursor=`])
    expect(await owner.get(`${list}x`)).toMatchObject({ body: { code: 'CURSOR_INVALID' } });
  const scope = { companyId: api.companyId, workspaceId: null };
  const log = ['audit-log', scope, {}];
  const paths: [string, unknown[]][] = [
    [access, ['model-access', model.id]],
    [`${metric.path}/access?cursor=`, ['metric-access', metric.id]],
    [`/api/dashboards/${dashboard.id}/access?cursor=`, ['dashboard-access', dashboard.id]],
    [`/api/reports/${report.id}/access?cursor=`, ['report-access', report.id]],
    [`/api/stories/${story.id}/access?cursor=`, ['story-access', story.id]],
    [`/api/stories/${story.id}/revisions?cursor=`, ['story-revisions', story.id, 'STORY', model.createdBy]],
    [
      `/api/stories/${story.id}/sections/${story.sections[0].id}/revisions?cursor=`,
      ['story-revisions', story.id, story.sections[0].id, model.createdBy],
    ],
    [`/api/composite-models/${blend.id}/access?cursor=`, ['blend-access', blend.id]],
    ['/api/dashboard-alerts/feed?cursor=', ['alert-feed', model.createdBy, 'alert']],
    ['/api/audit-log?cursor=', log],
    ['/api/audit-log/export?cursor=', log],
  ];
  for (const [path, list] of paths) {
    const other = await sealed(api, ['elsewhere']);
    expect(await owner.get(`${path}${other}`), path).toMatchObject({ body: { code: 'CURSOR_MISMATCH' } });
    const old = await sealed(api, list, new Date(Date.now() - DAY_MS - 60_000));
    expect(await owner.get(`${path}${old}`), path).toMatchObject({ body: { code: 'CURSOR_EXPIRED' } });
  }
});

it('a SCIM change of a user needs paths, filters and targets that exist', async ({ api }) => {
  const { caller } = await givenProvisioner(api);
  const { id } = await givenUser(caller);
  for (const [operation, scimType] of [
    [{ op: 'add', path: 'na me', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'emails[display gt "x"]' }, 'invalidFilter'],
    [{ op: 'remove' }, 'noTarget'],
  ] as const)
    expect(await caller.patch(`${SCIM}/Users/${id}`, patchOf(operation)), scimType).toMatchObject({
      status: 400,
      body: { scimType },
    });
});

it('an identity provider is changed only in the revision that was read, and to addresses and metadata that can be used', async ({
  api,
}) => {
  const owner = api.as('owner');
  const slug = `p-${crypto.randomUUID().slice(0, 8)}`;
  const oidc = { issuer: 'https://idp.example.com', clientId: 'analytics', clientSecret: 'a secret of the provider' };
  const { body: made } = await owner.post('/api/identity-providers', { name: 'Okta', slug, type: 'oidc', oidc });
  const path = `/api/identity-providers/${made.id}`;
  const inside = { oidc: { ...oidc, issuer: 'https://169.254.169.254' } };
  expect(await owner.patch(path, inside)).toMatchObject({ body: { code: 'ADDRESS_BLOCKED' } });
  expect(await owner.delete(path, { headers: { 'if-match': '"999"' } })).toMatchObject({ status: 412 });
  const { certificate } = await newCertificate();
  const saml = { entityId: 'https://a.example', ssoUrl: 'https://a.example/sso', certificates: [certificate] };
  const { body: other } = await owner.post('/api/identity-providers', {
    name: 'ADFS',
    slug: `${slug}-s`,
    type: 'saml',
    saml,
  });
  const unreadable = { saml: { metadata: '<a/>' } };
  expect(await owner.patch(`/api/identity-providers/${other.id}`, unreadable)).toMatchObject({
    body: { code: 'SAML_METADATA_INVALID' },
  });
});

it('guesses of the password for a new passkey are limited', async ({ api }) => {
  const codes = new Set<string>();
  for (let guess = 0; guess < 12; guess += 1) {
    const reply = await api
      .as('viewer')
      .post('/api/auth/passkeys/options', { password: 'wrong' }, { from: '127.0.79.1' });
    codes.add(reply.body.code);
  }
  expect(codes).toEqual(new Set(['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS']));
});
