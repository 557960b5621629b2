import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { AI_KEY, type AiAnswer, type AiQuestion, aiScripts } from '../../../support/ai-provider.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { scripted } from '../../../support/given/language-model.ts';
import {
  found,
  hybrid,
  PATIENTLY,
  searchByMeaning,
  setVectorState,
  vectorObjects,
  vectorPrefix,
  vectorState,
} from '../../../support/given/meaning.ts';
import { posted } from '../../../support/given/model.ts';
import { deployed } from '../../../support/setup/ask.ts';

const OF_THE_TEXTS: AiAnswer = { vectors: 'of the texts' };
/** Shares no word with what it finds. */
const DEPARTING = 'departing clients';
const BYTES_OF_A_VECTOR = 16 + 256;

const report = async (api: Api, name: string, description = ''): Promise<string> =>
  (await posted(api, '/api/reports', { name, description })).id;

const questionsAbout = async (key: string): Promise<AiQuestion[]> =>
  aiScripts((await deployed()).aiProvider).asked(key);
const textsAbout = async (key: string): Promise<string[]> =>
  (await questionsAbout(key)).flatMap(({ body }) => body.input as string[]);

describe('a search by meaning', { timeout: 300_000 }, () => {
  it('finds what shares no word with the query, sends each text once, and forgets what is deleted', async ({ api }) => {
    const owner = api.as('owner');
    const { key } = await scripted(OF_THE_TEXTS);
    const churn = await report(api, `Subscriber churn ${key}`);
    expect(await found(api, 'owner', DEPARTING)).toMatchObject({ total: 0, mode: 'lexical', fallback: 'off' });

    await searchByMeaning(api, true);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({
      ...{ mode: 'hybrid', fallback: null, total: 1, matching: 'meaning', facets: { type: { report: 1 } } },
      items: [{ type: 'report', id: churn, matchedOn: [] }],
    });
    const [question] = await questionsAbout(key);
    expect(question!.body).toMatchObject({ model: 'scripted-vectors', dimensions: 256 });
    expect(question!.headers.authorization).toContain(AI_KEY);
    expect(await textsAbout(key)).toEqual([`Subscriber churn ${key}`]);

    // Words come first, and an exact name needs no meaning.
    const named = await report(api, `Departing clients ${key}`);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', items: [{ id: named }, { id: churn }] });
    await hybrid(api, 'owner', `subscriber CHURN ${key}`).toMatchObject({
      ...{ mode: 'lexical', fallback: null, items: [{ id: churn }] },
    });

    const { s3, name: Bucket } = await dataBucket(api.endpoint);
    // As a job leaves it that died before it made its vectors the current ones.
    const Key = `${vectorPrefix(api)}left-behind.vectors`;
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    expect((await owner.delete(`/api/reports/${named}`)).status).toBe(204);
    await expect
      .poll(async () => {
        await found(api, 'owner', DEPARTING);
        return vectorObjects(api);
      }, PATIENTLY)
      .toEqual([{ key: expect.stringContaining(vectorPrefix(api)), bytes: BYTES_OF_A_VECTOR }]);
    expect((await vectorState(api))!.status).toBe('ready');
    const sent = await textsAbout(key);
    expect(sent).toHaveLength(new Set(sent).size);
  });

  it('is switched by admins, and removes all vectors when it is switched off', async ({ api }) => {
    expect((await api.as('editor').patch('/api/workspaces/current', { searchByMeaning: true })).status).toBe(403);
    await report(api, 'Subscriber churn');
    await searchByMeaning(api, true);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', total: 1 });
    await searchByMeaning(api, false);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'lexical', fallback: 'off', total: 0 });
    await expect
      .poll(async () => {
        await found(api, 'owner', DEPARTING);
        return [await vectorObjects(api), await vectorState(api)];
      }, PATIENTLY)
      .toEqual([[], undefined]);
  });

  it('finds, counts and embeds nothing that the caller may not read', async ({ api }) => {
    await api.joinAll();
    const { key } = await scripted(OF_THE_TEXTS);
    const { id, path } = await givenDashboard(api, { name: `Rainfall ${key}` });
    expect((await api.as('owner').post(`${path}/publish`, {})).status).toBe(200);
    expect((await api.as('owner').put(path, { name: `Subscriber churn ${key}` })).status).toBe(200);
    await posted(api, '/api/saved-queries', { name: `Wages ${key}`, sql: "SELECT 'secretliteral' AS secretcolumn" });
    await searchByMeaning(api, true);

    await hybrid(api, 'editor', DEPARTING).toMatchObject({ mode: 'hybrid', items: [{ id }], total: 1 });
    const nothing = { items: [], total: 0, facets: { type: {} }, suggestion: null, nextCursor: null };
    await hybrid(api, 'viewer', DEPARTING).toMatchObject({ mode: 'hybrid', ...nothing });
    // Readers of the published version find its name.
    await hybrid(api, 'viewer', 'precipitation').toMatchObject({ mode: 'hybrid', items: [{ id }], total: 1 });
    await hybrid(api, 'editor', 'precipitation').toMatchObject({ mode: 'hybrid', ...nothing });
    expect(await found(api, 'stranger', DEPARTING)).toMatchObject({ fallback: 'off', ...nothing });

    const sent = (await textsAbout(key)).join('\n');
    expect(sent).toContain(`Wages ${key}`);
    expect(sent).not.toMatch(/secretliteral|secretcolumn/);
  });

  it('continues pages in the order of the first, also without the provider', async ({ api }) => {
    for (const name of ['Subscriber churn', 'Customer cancellation', 'Clients who left']) await report(api, name);
    await searchByMeaning(api, true);
    await hybrid(api, 'owner', 'departing accounts').toMatchObject({ mode: 'hybrid', total: 3 });
    const whole = await found(api, 'owner', 'departing accounts');
    const ids = whole.items.map(({ id }: { id: string }) => id);
    let cursor = '';
    const paged: string[] = [];
    for (let page = 0; page < 3; page += 1) {
      const { items, mode, nextCursor } = await found(api, 'owner', 'departing accounts', `&limit=1${cursor}`);
      paged.push(...items.map(({ id }: { id: string }) => id));
      expect(mode).toBe('hybrid');
      cursor = nextCursor === null ? '' : `&cursor=${nextCursor}`;
      expect(cursor.length).toBeLessThan(1024);
    }
    expect(paged).toEqual(ids);

    // Without meaning, later pages have no more.
    const { nextCursor } = await found(api, 'owner', 'departing accounts', '&limit=1');
    await searchByMeaning(api, false);
    await expect
      .poll(() => found(api, 'owner', 'departing accounts', `&limit=1&cursor=${nextCursor}`), PATIENTLY)
      .toMatchObject({ items: [], total: 0, mode: 'lexical', fallback: 'off' });
  });
});

const FAILURES: readonly [AiAnswer, string][] = [
  ['nothing', 'timeout'],
  [{ status: 500 }, 'error'],
  [{ status: 200, body: '<html>' }, 'error'],
  [{ vectors: [[1, 2, 3]] }, 'error'],
  [{ vectors: [] }, 'error'],
  [{ vectors: [Array.from({ length: 256 }, () => 0)] }, 'error'],
];

describe('the provider', { timeout: 300_000 }, () => {
  it('may fail in any way: the search is answered by words', async ({ api }) => {
    const id = await report(api, 'Subscriber churn');
    // A word that most objects have says nothing alone.
    for (const name of ['Payroll', 'Rainfall', 'Warehouse stock', 'Energy', 'Loans']) await report(api, name);
    await searchByMeaning(api, true);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', items: [{ id }] });
    for (const [answer, fallback] of FAILURES) {
      const { key } = await scripted(answer);
      await hybrid(api, 'owner', `churn ${key}`).toMatchObject({ mode: 'lexical', fallback, items: [{ id }] });
    }
  });

  it('embeds again with another model, and nothing with an unsuitable one', async ({ api }) => {
    const { key } = await scripted(OF_THE_TEXTS);
    const id = await report(api, `Subscriber churn ${key}`);
    await searchByMeaning(api, true);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', items: [{ id }] });
    const { model } = (await vectorState(api))!;
    await setVectorState(api, { model: 'another' });
    await expect
      .poll(async () => {
        const { mode } = await found(api, 'owner', DEPARTING);
        return [mode, (await vectorState(api))!.model, (await textsAbout(key)).length];
      }, PATIENTLY)
      .toEqual(['hybrid', model, 2]);

    // Vectors that are gone are made again.
    const { s3, name: Bucket } = await dataBucket(api.endpoint);
    const [stored] = await vectorObjects(api);
    await s3.send(new DeleteObjectCommand({ Bucket, Key: stored!.key }));
    await report(api, `Client cancellation ${key}`);
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', total: 2 });
    expect(await textsAbout(key)).toHaveLength(4);

    // The last job may store its end after this, so it is set until a search sees it.
    const unsuitable = { status: 'unsuitable', threshold: null, retryAt: '9999-01-01T00:00:00.000Z' } as const;
    await expect
      .poll(async () => {
        await setVectorState(api, unsuitable);
        return found(api, 'owner', DEPARTING);
      }, PATIENTLY)
      .toMatchObject({ mode: 'lexical', fallback: 'unsuitable', total: 0 });
  });

  it('that rejects texts is asked again later, and other searches do not wait for it', async ({ api }) => {
    const { key } = await scripted({ status: 400 }, OF_THE_TEXTS);
    const id = await report(api, `Subscriber churn ${key}`);
    await searchByMeaning(api, true);
    await expect
      .poll(async () => {
        expect(await found(api, 'owner', DEPARTING)).toMatchObject({ mode: 'lexical' });
        return [(await textsAbout(key)).length, await vectorState(api)];
      }, PATIENTLY)
      .toMatchObject([1, { status: 'building', retryAt: expect.any(String) }]);
    expect(await found(api, 'owner', `churn ${key}`)).toMatchObject({ fallback: 'building', items: [{ id }] });
    await setVectorState(api, { retryAt: new Date().toISOString() });
    await hybrid(api, 'owner', DEPARTING).toMatchObject({ mode: 'hybrid', items: [{ id }] });
  });
});
