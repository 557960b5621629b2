import { describe, expect } from 'vitest';
import { errorsOf } from '../../../../shared/platform/http/route.ts';
import { it } from '../../../support/api.ts';
import {
  givenProvisioner,
  givenScimGroup,
  givenUser,
  newUserName,
  patchOf,
  SCIM,
} from '../../../support/given/provisioner.ts';
import { SCIM_ROUTES, somePath } from '../../../support/samples.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const withBody = SCIM_ROUTES.filter(({ body }) => body);

describe('every operation of SCIM', () => {
  it('reports a body that cannot be read in the form of SCIM', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    for (const route of withBody) {
      const send = (text: string, headers = {}) => caller.send(route.method, somePath(route), { text, headers });
      const syntax = { status: 400, body: { schemas: [ERROR], status: '400', scimType: 'invalidSyntax' } };
      for (const text of ['{', '', '[]', '"x"', '{"__proto__": {"active": true}}']) {
        expect(await send(text), `${route.operationId} ${text}`).toMatchObject(syntax);
      }
      expect(await send('{}', { 'content-type': 'text/plain' })).toMatchObject({
        status: 415,
        body: { status: '415' },
      });
    }
  });

  it('takes bodies of 4 MiB, and none that are larger', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const text = JSON.stringify({ pad: 'x'.repeat(4 * 1024 * 1024) });
    for (const route of withBody) {
      expect(await caller.send(route.method, somePath(route), { text }), route.operationId).toMatchObject({
        status: 413,
        body: { schemas: [ERROR], status: '413', detail: 'The request body is larger than 4 MiB.' },
      });
    }
  });

  it('takes both media types, unknown members and unknown parameters', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    for (const type of ['application/scim+json', 'application/scim+json; charset=utf-8', 'application/json']) {
      const text = JSON.stringify({ userName: newUserName(), unheardOf: { a: [1] } });
      const made = await caller.send('POST', `${SCIM}/Users?unheardOf=1`, { text, headers: { 'content-type': type } });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect(made.headers.get('content-type')).toBe('application/scim+json');
    }
  });

  it('reports a resource that does not exist in the form of SCIM', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const named = SCIM_ROUTES.filter((route) => errorsOf(route).includes('SCIM_RESOURCE_NOT_FOUND'));
    expect(named.length).toBeGreaterThan(9);
    for (const route of named) {
      const body = /Patch/.test(route.operationId)
        ? patchOf({ op: 'replace', path: 'displayName', value: 'x' })
        : { userName: newUserName(), displayName: 'x' };
      const reply = await caller.send(route.method, somePath(route), route.body ? { text: JSON.stringify(body) } : {});
      expect(reply, route.operationId).toMatchObject({ status: 404, body: { schemas: [ERROR], status: '404' } });
    }
  });
});

describe('the prefix of SCIM', () => {
  it('has errors of SCIM for unknown paths and methods', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    for (const path of ['', '/', '/Me', '/Nothing', '/Users/a/b', '/Bulk', '/Schemas/a/b', '/%zz']) {
      const reply = await caller.get(`${SCIM}${path}`);
      expect(reply, path).toMatchObject({ status: 404, body: { schemas: [ERROR], status: '404' } });
    }
    for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await caller.send(method, `${SCIM}/${path}`, { text: '{}' });
        expect(reply).toMatchObject({ status: 405, body: { schemas: [ERROR], status: '405' } });
        expect(reply.headers.get('allow')).toContain('GET');
      }
    }
    // The rest of the group has the errors of the API.
    expect(await api.as('owner').get('/api/scim/nothing')).toMatchObject({
      status: 404,
      body: { code: 'ROUTE_NOT_FOUND' },
    });
  });
});

describe('the discovery of SCIM', () => {
  it('describes what the service supports', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const config = (await caller.get(`${SCIM}/ServiceProviderConfig`)).body;
    expect(config).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
    });
    expect((await fetch(config.documentationUri)).status).toBe(200);
    const types = (await caller.get(`${SCIM}/ResourceTypes`)).body;
    expect(types).toMatchObject({ totalResults: 2, Resources: [{ id: 'User' }, { id: 'Group' }] });
    const schemas = (await caller.get(`${SCIM}/Schemas`)).body;
    expect(schemas.totalResults).toBe(3);
    for (const one of [...types.Resources, ...schemas.Resources]) {
      const path = new URL(one.meta.location).pathname;
      expect((await caller.get(path)).body).toEqual(one);
    }
  });
});

describe('searches', () => {
  const request = (more: object) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...more });

  it('find users, groups, or both, with the parameters of lists in the body', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const user = await givenUser(caller, { externalId: 'both' });
    const group = await givenScimGroup(caller, [user.id]);
    await caller.patch(`${SCIM}/Groups/${group.id}`, patchOf({ op: 'add', path: 'externalId', value: 'both' }));
    const search = async (path: string, more: object) =>
      (await caller.post(`${SCIM}${path}/.search`, request(more))).body;

    const filter = 'externalId eq "both"';
    expect(await search('', { filter })).toMatchObject({
      totalResults: 2,
      Resources: [{ id: user.id }, { id: group.id }],
    });
    expect(await search('', { filter, startIndex: 2, count: 5 })).toMatchObject({
      totalResults: 2,
      Resources: [{ id: group.id }],
    });
    expect(await search('', { filter: `userName eq "${user.userName}"` })).toMatchObject({ totalResults: 1 });
    expect(await search('', { filter: `displayName eq "${group.displayName}"` })).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.id }],
    });
    const only = await search('/Users', { filter, attributes: ['userName'] });
    expect(only.Resources).toEqual([{ schemas: user.schemas, id: user.id, userName: user.userName }]);
    const without = await search('/Groups', {
      filter,
      excludedAttributes: ['members', 'meta'],
      startIndex: 1,
      count: 1,
    });
    expect(Object.keys(without.Resources[0]).sort()).toEqual(['displayName', 'externalId', 'id', 'schemas']);

    for (const path of ['', '/Users', '/Groups']) {
      const unsupported = await caller.post(`${SCIM}${path}/.search`, request({ filter: 'title eq "x"' }));
      expect(unsupported).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
      const wrong = await caller.post(`${SCIM}${path}/.search`, request({ filter: 17 }));
      expect(wrong).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    }
  });
});
