import { describe, expect } from 'vitest';
import { EVENT_NAMES } from '../../../../shared/domains/events/events/catalogue.ts';
import { statusOf } from '../../../../shared/platform/http/problem.ts';
import { errorsOf } from '../../../../shared/platform/http/route.ts';
import { it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/conformance.ts';
import { ALL_ROUTES } from '../../../support/samples.ts';

function* valuesOf(value: unknown, name = ''): Generator<[name: string, value: unknown]> {
  yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) yield* valuesOf(inner, member);
}

function pointed(document: unknown, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, part) => (place as Record<string, unknown> | undefined)?.[part], document);
}

/** What stands at a place of the document, also where that is a reference. */
function resolved(document: unknown, part: unknown): unknown {
  const { $ref } = part as { $ref?: string };
  return $ref === undefined ? part : pointed(document, $ref);
}

describe('the documentation', () => {
  it('is an OpenAPI 3.1 document of every operation, in which every reference leads somewhere', async ({ api }) => {
    const { status, body } = await api.as('anonymous').get('/api/openapi.json');
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: expect.any(String) } });
    const [{ url: base }] = body.servers;
    for (const route of ALL_ROUTES) {
      expect(route.path.startsWith(base)).toBe(true);
      const operation = body.paths[route.path.slice(base.length)]?.[route.method.toLowerCase()];
      expect(operation, route.operationId).toMatchObject({ operationId: route.operationId });
      const inPath = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'path');
      expect(inPath, route.operationId).toHaveLength(route.path.match(/\{/g)?.length ?? 0);
      expect(operation.responses[route.success.status], route.operationId).toBeDefined();
      for (const code of [...errorsOf(route), 'INTERNAL', 'SERVICE_BUSY'] as const) {
        const { description } = resolved(body, operation.responses[statusOf(code)]) as { description: string };
        expect(description, route.operationId).toContain(`\`${code}\``);
      }
    }
    const operations = Object.values(body.paths as object).flatMap((path) => Object.keys(path));
    expect(operations).toHaveLength(ALL_ROUTES.length);

    const references = [...valuesOf(body)].flatMap(([name, value]) => (name === '$ref' ? [String(value)] : []));
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) expect(pointed(body, reference), reference).toBeDefined();
  });

  it('describes every event that webhooks are sent, with a sample that is as it says', async ({ api }) => {
    const { body } = await api.as('anonymous').get('/api/openapi.json');
    expect(Object.keys(body.webhooks).sort()).toEqual([...EVENT_NAMES].sort());
    for (const name of EVENT_NAMES) {
      const { post } = body.webhooks[name];
      const { schema, example } = post.requestBody.content['application/json'];
      expect(example.event, name).toBe(name);
      const declared = { ...(pointed(body, schema.$ref) as object), components: body.components };
      expect(issuesOf(declared, example), name).toBe('');
      expect(issuesOf(declared, { ...example, event: 'another' }), name).not.toBe('');
      const headers = post.parameters.map((parameter: object) => (resolved(body, parameter) as { name: string }).name);
      expect(headers).toEqual(expect.arrayContaining(['X-Service-Timestamp', 'X-Service-Delivery-Id']));
    }
  });
});
