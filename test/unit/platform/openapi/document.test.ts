import { describe, expect, it } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { isJson, type Json } from '../../../../infra/build/openapi/json-schema.ts';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { MAX_OFFSET } from '../../../../shared/platform/storage/list-request.ts';
import { DOCUMENT, issuesIn, OPERATIONS } from '../../../support/api-document.ts';
import { ROUTES, SCIM_ROUTES } from '../../../support/samples.ts';

const { components } = DOCUMENT;

function* partsOf(value: unknown, place = ''): Generator<[place: string, part: Json]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* partsOf(item, `${place}/${index}`);
  if (!isJson(value)) return;
  yield [place, value];
  for (const [name, inner] of Object.entries(value)) yield* partsOf(inner, `${place}/${name}`);
}

const schemaParts = [...partsOf(components.schemas)].filter(([place]) => !place.includes('/examples/'));

const JSON_TYPES = [
  'application/json',
  'application/scim+json',
  'application/jwk-set+json',
  'application/x-www-form-urlencoded',
];

const jsonOf = (part: Json): Json | undefined =>
  JSON_TYPES.map((type) => (part.content as Record<string, Json> | undefined)?.[type]).find((found) => found);

const successOf = (route: Route): Json => OPERATIONS.get(route.operationId).responses[route.success.status];

describe('the OpenAPI document', () => {
  it('names every body: no operation declares an object in place', () => {
    const inline = [...ROUTES, ...SCIM_ROUTES].flatMap((route) => {
      const { requestBody, operationId } = OPERATIONS.get(route.operationId);
      return [requestBody, successOf(route)].flatMap((part) => {
        const schema = part && (jsonOf(part)?.schema as Json | undefined);
        if (!schema) return [];
        const shapes = (schema.anyOf as Json[] | undefined) ?? [schema];
        return shapes.every((shape) => typeof shape.$ref === 'string') ? [] : [operationId];
      });
    });
    // Its reply is this document.
    expect(inline).toEqual(['getOpenApi']);
  });

  it('names every variant of a union, and says which value means which', () => {
    const unions = schemaParts.filter(([, part]) => isJson(part.discriminator));
    expect(unions.length).toBeGreaterThan(8);
    for (const [place, { discriminator, oneOf }] of unions) {
      const { propertyName, mapping } = discriminator as { propertyName: string; mapping: Record<string, string> };
      const variants = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref);
      expect(Object.values(mapping), place).toEqual(variants);
      for (const [value, reference] of Object.entries(mapping)) {
        const variant = components.schemas[reference.slice('#/components/schemas/'.length)];
        expect(variant.properties[propertyName].const, `${place} ${value}`).toBe(value);
      }
    }
  });

  it('describes every schema, tag, parameter and header', () => {
    const silent = (named: Record<string, { description?: string }>) =>
      Object.entries(named).flatMap(([name, { description }]) => (description ? [] : [name]));
    expect(silent(components.schemas)).toEqual([]);
    expect(silent(components.parameters)).toEqual([]);
    expect(silent(components.headers)).toEqual([]);
    expect(DOCUMENT.tags.filter((tag: { description?: string }) => !tag.description)).toEqual([]);
    const parameters = [...OPERATIONS.values()].flatMap(({ operationId, parameters = [] }) =>
      parameters.map((parameter: Json) => [operationId, parameter]),
    );
    expect(parameters.filter(([, parameter]) => !parameter.$ref && !parameter.description)).toEqual([]);
  });

  it('summarizes every operation by a verb and what it is about', () => {
    const verb =
      /^(Abort|Accept|Add|Apply|Cancel|Change|Check|Compare|Complete|Confirm|Create|Delete|Detect|Dismiss|Draw|Duplicate|End|Evaluate|Export|Follow|Get|Grant|Import|Instantiate|Leave|List|Mark|Open|Outline|Preview|Publish|Read|Redeliver|Refresh|Reject|Remove|Renew|Reorder|Replace|Replay|Restore|Resync|Retire|Retry|Revise|Revoke|Rewrite|Rotate|Run|Save|Search|Send|Set|Share|Sign|Snooze|Start|Suggest|Summarize|Sync|Test|Turn|Unfollow|Update|Validate)\b/;
    for (const { summary } of OPERATIONS.values()) {
      expect(summary).toMatch(verb);
      expect(summary.length, summary).toBeLessThanOrEqual(40);
      expect(summary, 'sentence case, without a full stop').toMatch(/[^.]$/);
    }
  });

  it('gives every operation and every event an id of its own', () => {
    const events = Object.values<Json>(DOCUMENT.webhooks).map(({ post }) => (post as Json).operationId);
    const ids = [...OPERATIONS.keys(), ...events];
    expect(ids.length).toBe(ROUTES.length + SCIM_ROUTES.length + Object.keys(DOCUMENT.webhooks).length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
  });

  it('shows one content type per body, besides files: generated clients cannot choose between several', () => {
    const several = [...OPERATIONS].filter(([, { requestBody }]) => {
      const types = Object.keys(requestBody?.content ?? {}).filter(
        (type) => !['application/yaml', 'text/csv'].includes(type),
      );
      return types.length > 1;
    });
    expect(several.map(([operationId]) => operationId)).toEqual([]);
  });

  it('requires no member of a request that has a default, and says the default in words', () => {
    // Generators of clients make members with the keyword `default` required.
    expect(schemaParts.filter(([place, part]) => 'default' in part && !place.endsWith('/properties'))).toEqual([]);
    const created = components.schemas.CreateWebhook;
    expect(created.required).not.toContain('enabled');
    expect(created.properties.enabled.description).toContain('Default: `true`.');
    expect(components.schemas.PostgresConfig.required).toContain('port');
    expect(components.schemas.PostgresConfigInput.required).not.toContain('port');
  });

  it('states the highest offset where the server has one', () => {
    for (const route of ROUTES) {
      const { parameters = [] } = OPERATIONS.get(route.operationId);
      const offset = parameters.find((parameter: Json) => parameter.name === 'offset');
      const isLimited = route.errors?.includes('OFFSET_TOO_LARGE') ?? false;
      if (offset) expect(offset.schema.maximum, route.operationId).toBe(isLimited ? MAX_OFFSET : undefined);
      else expect(isLimited, route.operationId).toBe(false);
    }
  });

  it('says which role and which scope of API keys each operation needs', () => {
    const { security } = OPERATIONS.get('createPipeline');
    expect(security).toEqual([{ accessToken: ['editor'] }, { apiKey: ['read/write'] }]);
    expect(OPERATIONS.get('createApiKey').security).toEqual([{ accessToken: ['admin'] }]);
    expect(OPERATIONS.get('login').security).toEqual([]);
    expect(OPERATIONS.get('scimPatchUser').security).toEqual([{ scimToken: [] }]);
    expect(Object.keys(components.securitySchemes)).toEqual(['accessToken', 'apiKey', 'scimToken']);
  });

  it('declares a failure that several operations have once', () => {
    const responses = [...OPERATIONS.values()].flatMap((operation) => Object.values<Json>(operation.responses));
    const inline = responses.filter(({ $ref }) => !$ref).map((response) => JSON.stringify(response));
    const failures = inline.filter((text) => /application\/problem\+json|ScimError/.test(text));
    expect(new Set(failures).size).toBe(failures.length);
  });
});

describe('the examples', () => {
  const all = GROUPS.flatMap(({ sections }) =>
    sections.flatMap(({ examples }) => [...examples].map((entry) => [entry[0].operationId, ...entry] as const)),
  );

  it.each(all)('of %s are there, and are as their schemas say', (_id, route, { request, reply }) => {
    const { requestBody } = OPERATIONS.get(route.operationId);
    const sent = requestBody && jsonOf(requestBody);
    expect(request === undefined, 'an example of the request').toBe(sent === undefined);
    if (sent) expect(issuesIn(sent.schema as object, request)).toBe('');
    const success = successOf(route);
    const content = (success.content ?? {}) as Record<string, { schema: object; example?: unknown }>;
    const answered = jsonOf(success) ?? content['text/event-stream'] ?? content['application/x-ndjson'];
    expect(reply === undefined, 'an example of the reply').toBe(answered === undefined);
    if (answered) expect(issuesIn(answered.schema as object, reply)).toBe('');
    expect([sent?.example, answered?.example]).toEqual([request, reply]);
  });
});
