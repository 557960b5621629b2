import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { posted } from '../../../support/given/model.ts';
import { givenShare, publish } from '../../../support/given/shares.ts';

const password = 'correct horse battery';

describe('a share link with a password', () => {
  it('needs it on every operation, and limits guesses without shutting out those who know it', async ({ api }) => {
    const { id, path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('text'));
    await publish(api, path);
    const share = await givenShare(api, id, { shareType: 'password', password });
    const { reader } = share;
    expect(share).toMatchObject({ hasPassword: true });
    expect(JSON.stringify(share)).not.toContain(password);
    expect((await reader.link()).body).toMatchObject({ passwordRequired: true, title: null, theme: null });
    const wrong = { status: 401, body: { code: 'SHARE_PASSWORD' } };
    const calls: [string, object][] = [
      ['content', {}],
      ['card-data', { cardId: 'text' }],
      ['cards-data', { cards: [{ cardId: 'text' }] }],
      ['card-image', { cardId: 'text' }],
      ['card-file', { cardId: 'text' }],
      ['model-card-data', { cardId: 'text' }],
      ['report-block-data', { blockId: 'text' }],
      ['ask', { message: 'Why?' }],
      ['events', { events: [{ type: 'view' }] }],
    ];
    for (const [operation, body] of calls) expect(await reader.post(operation, body), operation).toMatchObject(wrong);
    expect(await reader.get('content')).toMatchObject(wrong);
    expect(await reader.post('content', { password })).toMatchObject({ status: 200, body: { title: 'Sales' } });
    expect(await reader.get(`content?password=${encodeURIComponent(password)}`)).toMatchObject({ status: 200 });

    const guess = { password: 'a wrong guess' };
    const guesses = await Promise.all(Array.from({ length: 14 }, () => reader.post('content', guess)));
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    const limited = guesses.find(({ status }) => status === 429)!;
    expect(limited).toMatchObject({ body: { code: 'TOO_MANY_PASSWORDS' } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const [operation, body] of calls)
      expect(await reader.post(operation, { ...body, ...guess }), operation).toMatchObject({ status: 429 });
    expect(await reader.get('content?password=again')).toMatchObject({ status: 429 });
    // The right password is no exception: otherwise, any number of guesses could find it.
    expect(await reader.post('content', { password })).toMatchObject({ status: 429 });
    // Other addresses are not shut out.
    const elsewhere = api
      .as('anonymous')
      .post(`/api/shares/${share.token}/content`, { password }, { from: '127.0.0.2' });
    expect(await elsewhere).toMatchObject({ status: 200 });
    // Guesses at one link do not limit another.
    const other = await givenShare(api, id, { shareType: 'password', password });
    expect(await other.reader.post('content', { password })).toMatchObject({ status: 200 });

    // An expired link is like none, also with its password.
    const past = { set: { validUntil: '2020-01-01T00:00:00.000Z' } };
    const key = workspaceKey(api.workspaceId, 'SHARE', other.id);
    await api.table.db.send(new UpdateCommand(updateOf(api.table, key, past)));
    expect(await other.reader.post('content', { password })).toMatchObject({ status: 404 });
    const listed = async (query: string) =>
      (await api.as('owner').get(`/api/shares?${query}`)).body.items.map((found: { id: string }) => found.id);
    expect(await listed('sort=createdAt')).toEqual([share.id, other.id]);
    expect(await listed('status=active')).toEqual([share.id]);
    expect(await listed('status=expired&shareType=password')).toEqual([other.id]);
    expect(await listed('shareType=public')).toEqual([]);
  });
});
