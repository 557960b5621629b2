import { describe, expect } from 'vitest';
import { STORY_SUBJECT } from '../../../../shared/domains/stories/stories/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader } from '../../../support/given/protected.ts';
import { doc, givenStory, texts } from '../../../support/given/stories.ts';
import { cookieOf, HOSTILE, openAs } from './browsing.ts';
import { givenUglyStory } from './ugly-story.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const pageOf = (id: string, more = '') => `/api/d/stories/${id}${more}`;

describe('the page of a story', () => {
  it('shows readers the published version, and the draft to those who may see it', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'one']), texts(['b', 'two']));
    const [editor, viewer] = [await cookieOf(api, 'editor'), await cookieOf(api, 'viewer')];
    expect((await openAs(api, pageOf(story.id), viewer)).status).toBe(404);
    const unpublished = await (await openAs(api, pageOf(story.id), editor)).text();
    expect(unpublished).toContain('<span class="draft">Draft</span>');

    await api.as('editor').post(`${story.path}/publish`);
    const section = `${story.path}/sections/${story.sections[0]}`;
    await api.as('editor').patch(section, { content: texts(['a', 'changed']) });
    for (const cookie of [viewer, editor]) {
      const page = await (await openAs(api, pageOf(story.id), cookie)).text();
      expect(page).toContain('<p id="block-a">one</p>');
      expect(page).toContain('Version 1, published <time');
      expect(page).not.toContain('class="draft"');
      expect(page.includes(`href="${pageOf(story.id)}?view=draft"`)).toBe(cookie === editor);
    }
    const declared = await api.as('anonymous').get(pageOf(story.id), { headers: { cookie: viewer } });
    expect(declared.status).toBe(200);
    const draft = await (await openAs(api, pageOf(story.id, '?view=draft'), editor)).text();
    expect(draft).toContain('<p id="block-a">changed</p>');
    expect(draft).toContain(`href="${pageOf(story.id)}"`);
    const asked = await (await openAs(api, pageOf(story.id, '?view=draft'), viewer)).text();
    expect(asked).toContain('<p id="block-a">one</p>');

    await api.as('editor').post(`${story.path}/archive`, { archived: true });
    const archived = await (await openAs(api, pageOf(story.id), viewer)).text();
    expect(archived).toContain('<span class="draft">Archived</span>');
    expect(archived).toContain('<p id="block-a">one</p>');
    expect((await api.as('editor').delete(story.path)).status).toBe(204);
    expect((await openAs(api, pageOf(story.id), viewer)).status).toBe(404);
  });

  it('leaves out hidden sections without a trace', async ({ api }) => {
    const { dataset } = await givenProtected(api);
    const chartSpec = { version: 1, query: { source: { kind: 'dataset', id: dataset.id } }, mark: { type: 'table' } };
    const live = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const story = await posted(api, '/api/stories', {
      title: 'Staff',
      sections: [
        { title: 'Open', content: texts(['a', 'For everyone']) },
        { title: 'Pay <secret>', content: doc(...texts(['b', 'It was 40']).content, live), source: 'ai' },
      ],
    });
    const hidden = (story.sections as { id: string; visibility: string }[])[1]!;
    expect(hidden.visibility).toBe('data_access');
    await api.as('editor').post(`/api/stories/${story.id}/publish`);
    const { token, email, password } = await givenReader(api, { role: 'viewer', attributes: { region: ['us'] } });
    expect(token).toBeDefined();
    const cookie = await cookieOf(api, { email, password });
    const page = await (await openAs(api, pageOf(story.id), cookie)).text();
    expect(page).toContain('For everyone');
    for (const trace of ['Pay', 'secret', 'It was 40', hidden.id, 'rows"', '>b<'])
      expect(page.includes(trace), trace).toBe(false);
    const own = await (await openAs(api, pageOf(story.id), await cookieOf(api, 'editor'))).text();
    expect(own).toContain('<h2>Pay &lt;secret&gt;</h2>');
    expect(own).toContain('It was 40');
  });

  it('writes hostile texts as texts, and loads only files of the platform', async ({ api }) => {
    const { id } = await givenUglyStory(api);
    const reply = await openAs(api, pageOf(id), await cookieOf(api, 'editor'));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; img-src 'self'; connect-src 'self';/,
    );
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const page = await reply.text();
    expect(page).not.toContain(HOSTILE);
    expect(page).not.toContain('<img');
    expect(page.match(/<script/g)).toHaveLength(3);
    const loaded = [...page.matchAll(/(?:src|rel="\w+" href)="([^"]+)"/g)].map(([, address]) => address);
    expect(loaded.length).toBeGreaterThanOrEqual(4);
    expect(loaded.filter((address) => !address!.startsWith('/api/d/assets/'))).toEqual([]);
    expect(page).toContain(
      'href="https://example.com/?a=1&amp;b=&quot;2&quot;" target="_blank" rel="noopener noreferrer"',
    );
    expect(page).toContain('<span class="inline-value" data-value="v">1,250 €</span>');
    expect(page).toContain('<a href="#block-wide">A wide table with');
  });

  it('is where notifications about the story lead: to the draft for those who see it', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'one']));
    const people = { viewer: await givenMember(api), editor: await givenMember(api, 'editor') };
    const pathFor = async ({ userId }: { userId: string }) => {
      const { workspaceId, companyId } = api;
      const reader = await memberPrincipal(api.table, { workspaceId, companyId, userId });
      return (await STORY_SUBJECT.find(api.table, reader!, story.id))?.path;
    };
    expect(await pathFor(people.viewer)).toBeUndefined();
    expect(await pathFor(people.editor)).toBe(`/d/stories/${story.id}`);
    await api.as('editor').post(`${story.path}/publish`);
    expect(await pathFor(people.viewer)).toBe(`/d/stories/${story.id}`);
    expect(await pathFor(people.editor)).toBe(`/d/stories/${story.id}?view=draft`);
  });

  it('is the same 404 for what does not exist and for what the person may not see', async ({ api }) => {
    const own = await givenStory(api, texts(['a', 'one']));
    const foreign = (await api.as('stranger').post('/api/stories', { title: 'Foreign' })).body;
    const viewer = await cookieOf(api, 'viewer');
    const pages = await Promise.all(
      [own.id, foreign.id, UNKNOWN].map(async (id) => {
        const reply = await openAs(api, pageOf(id), viewer);
        expect(reply.status).toBe(404);
        return (await reply.text()).replaceAll(/Request [\w-]+/g, '');
      }),
    );
    expect(pages[0]).toContain('There is no such story');
    expect(new Set(pages).size).toBe(1);
    const program = await api.as('anonymous').get(pageOf(UNKNOWN), { headers: { cookie: viewer } });
    expect(program).toMatchObject({ status: 404, body: { code: 'STORY_NOT_FOUND' } });
  });

  it('asks browsers to sign in, and returns 401 to programs', async ({ api }) => {
    const { id } = await givenStory(api, texts(['a', 'one']));
    const reply = await openAs(api, pageOf(id));
    expect(reply.status).toBe(401);
    expect(await reply.text()).toContain('<h1>Sign in</h1>');
    const program = await api.as('anonymous').get(pageOf(id));
    expect(program).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    const invalid = await openAs(api, pageOf(id, '?view=all'));
    expect(invalid.status).toBe(400);
    expect(await invalid.text()).toContain('Open the story without what follows its id.');
  });
});
