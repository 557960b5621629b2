import { expect } from 'vitest';
import { GROUPS } from '../../../../functions/api.ts';
import { isScim } from '../../../../shared/platform/http/route.ts';
import { it } from '../../../support/api.ts';
import { somePath, wrongBody } from '../../../support/samples.ts';

/**
 * Most API tests run groups from their sources in one process. Here each runs as it is deployed: its bundle, in a
 * process with its role and its variables.
 */
it.for(GROUPS)(
  '$name starts as a function of its own, reads its table and knows its validators',
  async ({ name, routes }, { api }) => {
    const read = routes.find(({ method, permission }) => method === 'GET' && permission !== 'public') ?? routes[0]!;
    const reply = await api.as('owner').send(read.method, somePath(read));
    expect(reply.status, `${name}: ${read.operationId}`).toBeLessThan(500);

    const written = routes.find((route) => route.body && route.permission !== 'public' && !isScim(route));
    const body = written && wrongBody(written);
    if (!body) return;
    const refused = await api.as('owner').send(written.method, somePath(written), { text: JSON.stringify(body) });
    expect(refused, written.operationId).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  },
);
