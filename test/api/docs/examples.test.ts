import { describe, expect } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import { it } from '../../support/api.ts';
import { call } from '../../support/http.ts';
import { somePath } from '../../support/samples.ts';

const requests = GROUPS.flatMap(({ sections }) => sections.flatMap(({ examples }) => [...examples])).filter(
  (entry): entry is [Route, { request: unknown }] => entry[1].request !== undefined,
);

describe('the examples of requests', () => {
  it.for(requests)('pass validation: %s', async ([route, { request }], { api }) => {
    const token = route.permission === 'public' ? undefined : api.token('owner');
    const reply = await call(api.endpoint, route.method, somePath(route), { token, body: request });
    // What they refer to is not there, which is another matter than their shape.
    expect(reply.body?.code, JSON.stringify(reply.body)).not.toBe('VALIDATION_FAILED');
    expect(reply.status).not.toBe(403);
  });
});
