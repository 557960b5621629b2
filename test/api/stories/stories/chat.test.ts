import { afterEach, beforeEach, describe, expect } from 'vitest';
import { idFrom, newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { issuesOf, posted } from '../../../support/given/model.ts';
import { givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const webhook = async (api: Api, name: string, extra: object = {}): Promise<string> => {
  const made = await posted(api, '/api/webhooks', { name, url: receiver.url, kind: 'chat', events: [], ...extra });
  return made.id as string;
};

async function givenPublished(api: Api) {
  const story = await givenStory(api, texts(['a', 'SECRET-TEXT of a section']));
  const summary = `<!channel> *Revenue* grew ${'and grew '.repeat(60)}to the end.`;
  await api.as('editor').patch(story.path, { title: 'Week <https://evil.example|3>', summary });
  await api.as('editor').post(`${story.path}/publish`);
  return {
    ...story,
    share: (body: object, options = {}) => api.as('editor').post(`${story.path}/share/chat`, body, options),
  };
}

describe('sharing a story in a chat channel', () => {
  it('posts title, summary, note and link of the published version, once, and nothing that acts', async ({ api }) => {
    const target = await webhook(api, 'Sales');
    const story = await givenPublished(api);
    await api.as('editor').patch(story.path, { title: 'SECRET-DRAFT', summary: 'SECRET-DRAFT' });
    const key = { headers: { 'idempotency-key': newId() } };
    const body = { webhookId: target, note: 'Look @here: [x](https://evil.example)' };
    const shared = await story.share(body, key);
    expect(shared).toMatchObject({ status: 200, body: { webhookId: target } });
    expect((await story.share(body, key)).body).toEqual(shared.body);
    const [request] = await receiver.waitFor(1);
    const message = JSON.parse(request!.body);
    expect(message.text).toContain('shared *Week');
    expect(message.text).toContain('to the end.');
    expect(message.text).toContain(`/api/d/stories/${story.id}|Open the story>`);
    expect(message.blocks.length).toBeGreaterThan(2);
    for (const acting of ['<!channel>', '<https://evil', '](https://evil', 'SECRET', '@here']) {
      expect(request!.body).not.toContain(acting);
    }
    const { items } = (await api.as('editor').get(`/api/webhooks/${target}/deliveries`)).body;
    expect(items).toMatchObject([{ event: 'story.shared', isTest: false }]);
    const activity = (await api.as('editor').get(`${story.path}/activity`)).body.items;
    expect(activity.filter(({ action }: { action: string }) => action === 'shared_to_chat')).toHaveLength(1);
  });

  it('reaches enabled chat webhooks of the workspace only, which are listed by name alone', async ({ api }) => {
    const zeta = await webhook(api, 'Zeta');
    const alpha = await webhook(api, 'alpha');
    const generic = await webhook(api, 'generic', { kind: 'generic' });
    const disabled = await webhook(api, 'off');
    await api.as('editor').patch(`/api/webhooks/${disabled}`, { enabled: false });
    const story = await givenPublished(api);
    const { caller } = await givenGrantee(api, story, 'editor');
    expect((await caller.get(`${story.path}/chat-targets`)).body).toEqual({
      items: [
        { id: alpha, name: 'alpha' },
        { id: zeta, name: 'Zeta' },
      ],
    });
    for (const webhookId of [generic, disabled, idFrom('x')]) {
      expect(issuesOf(await story.share({ webhookId }))).toEqual(['/webhookId UNKNOWN']);
    }
    expect((await caller.post(`${story.path}/share/chat`, { webhookId: alpha })).status).toBe(200);
    await receiver.waitFor(1);
  });

  it('needs a published version and an editor of the story', async ({ api }) => {
    const webhookId = await webhook(api, 'Sales');
    const story = await givenStory(api, texts(['a', 'A']));
    const send = (caller: ReturnType<Api['as']>) => caller.post(`${story.path}/share/chat`, { webhookId });
    expect(await send(api.as('editor'))).toMatchObject({ status: 403, body: { code: 'STORY_NOT_PUBLISHED' } });
    const { caller: contributor } = await givenGrantee(api, story, 'contributor');
    expect(await send(contributor)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await contributor.get(`${story.path}/chat-targets`)).toMatchObject({ status: 403 });
    const missing = { status: 404, body: { code: 'STORY_NOT_FOUND' } };
    expect(await send(api.as('stranger'))).toMatchObject(missing);
    expect(await api.as('stranger').get(`${story.path}/chat-targets`)).toMatchObject(missing);
    expect(receiver.received).toEqual([]);
  });

  it('happens at most five times in an hour, also at the same time', async ({ api }) => {
    const webhookId = await webhook(api, 'Sales');
    const story = await givenPublished(api);
    const replies = await Promise.all(Array.from({ length: 8 }, () => story.share({ webhookId })));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(5);
    const late = await story.share({ webhookId });
    const limited = [...replies, late].filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]).toMatchObject({ body: { code: 'TOO_MANY_STORY_SHARES' } });
    expect(Number(limited[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await (await givenPublished(api)).share({ webhookId })).status).toBe(200);
  });
});
