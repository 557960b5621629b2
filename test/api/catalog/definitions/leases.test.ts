import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from './given.ts';
import { givenProject, program } from './project.ts';

const hold = (api: Api, id: string, as: Actor | { token: string } = 'editor', project = 'shop', seconds = 60) =>
  api.as(as).put(`/api/definitions/projects/${project}/lease`, { id, client: 'a machine', seconds });
const release = (api: Api, id: string, as: Actor | { token: string } = 'editor') =>
  api.as(as).delete(`/api/definitions/projects/shop/lease/${id}`);

/** As if the time of the lease were over. */
async function expire(api: Api, project = 'shop'): Promise<void> {
  await api.table.db.send(
    new UpdateCommand({
      TableName: api.table.name,
      Key: workspaceKey(api.workspaceId, 'DEPLOYMENT', project),
      UpdateExpression: 'SET leaseUntil = :past',
      ExpressionAttributeValues: { ':past': Date.now() - 1 },
    }),
  );
}

describe('the lease of a project', () => {
  it('is one deployment’s, which extends it and gives it back', async ({ api }) => {
    const [first, second] = [randomUUID(), randomUUID()];
    const taken = await hold(api, first);
    expect(taken).toMatchObject({ status: 200, body: { project: 'shop', id: first, client: 'a machine' } });
    const refused = await hold(api, second);
    expect(refused).toMatchObject({ status: 409, body: { code: 'DEPLOYMENT_LEASED', lease: { client: 'a machine' } } });
    // Its id is known to its deployment alone.
    expect(JSON.stringify(refused.body)).not.toContain(first);
    expect((await hold(api, second, 'editor', 'desk')).status).toBe(200);

    const extended = await hold(api, first, 'editor', 'shop', 300);
    expect(extended.body.startedAt).toBe(taken.body.startedAt);
    expect(Date.parse(extended.body.expiresAt)).toBeGreaterThan(Date.parse(taken.body.expiresAt));
    expect(await release(api, second)).toMatchObject({ status: 404, body: { code: 'DEPLOYMENT_LEASE_NOT_FOUND' } });
    expect((await hold(api, second)).status).toBe(409);
    expect((await release(api, first)).status).toBe(204);
    expect((await release(api, first)).status).toBe(404);
    expect((await hold(api, second)).status).toBe(200);
  });

  it('is free when its time is over, and taken by one of several', async ({ api }) => {
    await hold(api, randomUUID());
    await expire(api);
    const ids = Array.from({ length: 5 }, () => randomUUID());
    const replies = await Promise.all(ids.map((id) => hold(api, id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of replies) expect([200, 409]).toContain(status);
  });

  it('is not another person’s, in no other workspace, and not for readers', async ({ api }) => {
    const id = randomUUID();
    expect((await hold(api, id)).status).toBe(200);
    const colleague = await givenMember(api, 'editor');
    expect((await hold(api, id, colleague)).status).toBe(409);
    expect((await release(api, id, colleague)).status).toBe(404);
    expect((await hold(api, randomUUID())).status).toBe(409);
    expect((await hold(api, id, 'stranger')).status).toBe(200);
    expect((await release(api, id, 'stranger')).status).toBe(204);
    expect((await hold(api, randomUUID())).status).toBe(409);
    expect(await hold(api, randomUUID(), 'viewer')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const { key } = await posted(api, '/api/api-keys', { name: 'reader', scope: 'read' });
    expect((await release(api, id, { token: key })).status).toBe(403);
    expect(await hold(api, id, 'editor', 'a b')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('analytics deploy', () => {
  it('deploys a project once at a time, and says who else does', async ({ api }) => {
    const run = await program(api, await api.token('owner'));
    const project = givenProject({ 'queries/orders.yaml': 'name: Orders\nsql: SELECT 1\n' });
    const id = randomUUID();
    await hold(api, id);
    const { email } = await api.password('editor');
    const refused = await run(project, ['deploy', '--yes']);
    expect(refused).toMatchObject({
      code: 6,
      err: expect.stringContaining(`Another deployment of shop is running: by ${email} on a machine, since `),
    });
    expect((await api.as('owner').get('/api/saved-queries')).body.total).toBe(0);
    const document = JSON.parse((await run(project, ['deploy', '--yes', '--json'])).out);
    expect(document.error).toMatchObject({ exitCode: 6, code: 'DEPLOYMENT_LEASED', lease: { client: 'a machine' } });
    await expire(api);
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
    // It has given the lease back; without changes it takes none.
    expect((await hold(api, id)).status).toBe(200);
    expect(await run(project, ['deploy', '--yes'])).toMatchObject({ code: 0 });
  });
});
