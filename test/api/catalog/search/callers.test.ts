import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { sample } from '../../../support/cases.ts';
import { givenAlert, givenLoad, onLoad } from '../../../support/given/alerts.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';

type Who = Actor | { token: string };

const READERS = ['granted', 'grouped', 'story reader', 'report reader', 'named', 'published reader', 'other'] as const;
const MEMBERS = ['owner', 'editor', 'viewer', ...READERS] as const;

/** What has one of these words in its name or description, by who finds it. */
const WORDS = {
  zyzzyva: ['owner', 'editor', 'granted', 'grouped'],
  quetzal: ['owner', 'editor', 'granted', 'grouped'],
  xylophone: ['owner', 'editor', 'story reader'],
  vexillum: ['owner', 'editor', 'report reader'],
  wapentake: ['owner', 'editor', 'named'],
  sesquipedal: ['owner', 'editor'],
  // Every member reads what is published.
  brontide: [...MEMBERS],
  ichthyology: [],
  haruspex: [],
} as const;
type Word = keyof typeof WORDS;

/** A key reads at most what its owner does. */
const KEY = 'key';
const isHiddenFrom = (name: string, readers: readonly string[]) => !readers.includes(name === KEY ? 'owner' : name);

const swapped = (word: string) => word.slice(0, 3) + word[4] + word[3] + word.slice(5);
const FORMS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.slice(0, 5),
  swapped,
  (word) => `${word.toUpperCase()}S`,
  (word) => `"${word} numbers"`,
  (word) => `type:card ${word}`,
];
/** What is found by what is around the words, and by types alone. */
const OTHERS = [
  ...['numbers', 'numbers -secret', 'hidden numbers', 'type:dashboard', 'type:card type:alert type:report type:story'],
  'type:dataset sales',
];
const ALL_QUERIES = [
  ...(Object.keys(WORDS) as Word[]).flatMap((word) => FORMS.map((form) => ({ word, q: form(word) }))),
  ...OTHERS.map((q) => ({ word: undefined, q })),
];

/** With each of the words as it is. */
const QUERIES = sample(ALL_QUERIES, (_query, position) => position % 2 === 0);

it('no part of a reply to any caller has a word of what they may not read', { timeout: 400_000 }, async ({ api }) => {
  await api.joinAll();
  const callers = await givenCallers(api);
  expect(Object.keys(callers)).toHaveLength(12);
  expect(ALL_QUERIES).toHaveLength(60);
  await expect
    .poll(async () => (await reply(api, 'editor', '/api/search', 'numbers')).body.total, {
      timeout: 60_000,
      interval: 500,
    })
    .toBe(7);

  for (const [name, who] of Object.entries(callers)) {
    const hidden = (Object.keys(WORDS) as Word[]).filter((word) => isHiddenFrom(name, WORDS[word]));
    await allowSearches(api, who);
    for (const { word, q } of QUERIES) {
      const told = `${name}: ${q}`;
      const [found, suggested] = await Promise.all([
        reply(api, who, '/api/search', q),
        reply(api, who, '/api/search/suggest', q),
      ]);
      expect([found.status, suggested.status], told).toEqual([200, 200]);
      const { items, total, facets, suggestion, nextCursor } = found.body;
      const shown = JSON.stringify([items, facets, suggestion, placeIn(nextCursor), suggested.body]).toLowerCase();
      for (const each of hidden) expect(shown, told).not.toContain(each);
      expect(
        Object.values(facets.type as Record<string, number>).reduce((sum, count) => sum + count, 0),
        told,
      ).toBe(total);
      if (word === undefined) continue;
      const isHidden = hidden.includes(word);
      if (isHidden) expect([total, items, suggestion, suggested.body.items], told).toEqual([0, [], null, []]);
      if (!isHidden && q === word && name !== KEY) {
        expect(Math.min(total, suggested.body.items.length), told).toBeGreaterThanOrEqual(1);
      }
    }
  }
  expect((await api.as('anonymous').get('/api/search?q=numbers')).status).toBe(401);
});

async function givenCallers(api: Api): Promise<Record<string, Who>> {
  const owner = api.as('owner');
  const people = await Promise.all(Array.from({ length: 6 }, () => givenMember(api)));
  const [granted, grouped, storyReader, reportReader, named, publishedReader] = people as [
    ...[(typeof people)[0], (typeof people)[0], (typeof people)[0]],
    ...[(typeof people)[0], (typeof people)[0], (typeof people)[0]],
  ];
  const did = async (request: Promise<{ status: number; body: { id?: string } }>) => {
    const { status, body } = await request;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.id!;
  };
  const group = await did(owner.post('/api/groups', { name: 'Readers' }));
  await did(owner.put(`/api/groups/${group}/members/${grouped.userId}`));

  const secret = await givenDashboard(api, { name: 'Zyzzyva numbers', description: 'Secret' });
  await did(owner.post(`${secret.path}/cards`, textCard('card', { title: 'Quetzal numbers' })));
  await did(owner.put(`${secret.path}/access/user/${granted.userId}`, { permission: 'viewer' }));
  await did(owner.put(`${secret.path}/access/group/${group}`, { permission: 'viewer' }));

  const story = await did(owner.post('/api/stories', { title: 'Xylophone numbers' }));
  await did(owner.put(`/api/stories/${story}/access/user/${storyReader.userId}`, { permission: 'viewer' }));
  const report = await did(owner.post('/api/reports', { name: 'Vexillum numbers' }));
  await did(owner.put(`/api/reports/${report}/access/user/${reportReader.userId}`, { level: 'viewer' }));

  const channels = { inApp: { userIds: [named.userId], followers: false } };
  await givenAlert(api, { name: 'Wapentake numbers', condition: onLoad((await givenLoad(api)).queryId), channels });

  // Editors find the draft as it is now, readers what was published; cards of both.
  const open = await givenDashboard(api, { name: 'Brontide numbers' });
  await did(owner.put(`${open.path}/access/user/${publishedReader.userId}`, { permission: 'viewer' }));
  await did(owner.post(`${open.path}/publish`, {}));
  await did(owner.put(open.path, { description: 'Brontide' }));
  await did(owner.post(`${open.path}/cards`, textCard('draft', { title: 'Sesquipedal numbers' })));

  const { path, table, fields } = await givenSalesModel(api);
  const field = (id: string) => `${path}/tables/${table.id}/fields/${id}`;
  await did(owner.put(field(fields.region), { name: 'ichthyology', sensitivityLabel: 'pii' }));
  await did(owner.put(field(fields.day), { name: 'haruspex', isHidden: true }));

  const key = await owner.post('/api/api-keys', { name: 'reading', scope: 'read' });
  const other = await givenMember(api);
  return {
    ...{ owner: 'owner', editor: 'editor', viewer: 'viewer', stranger: 'stranger' },
    ...{ granted, grouped, named, 'story reader': storyReader, 'report reader': reportReader },
    ...{ 'published reader': publishedReader, other },
    [KEY]: { token: key.body.key },
  } as Record<string, Who>;
}

const reply = (api: Api, who: Who, path: string, q: string) =>
  api.as(who).get(`${path}?q=${encodeURIComponent(q)}${path.endsWith('suggest') ? '' : '&limit=1'}`);

/** What a cursor says to those who look into it. */
function placeIn(cursor: string | null): string {
  return cursor === null ? '' : Buffer.from(cursor.split('.')[0]!, 'base64url').toString();
}

/** A person may search sixty times a minute. */
async function allowSearches(api: Api, who: Who): Promise<void> {
  const { status, body } = await api.as(who).get('/api/auth/me');
  // The owner's searches with a key count as the owner's.
  if (status !== 200) return;
  const { workspaceId } = body;
  for (const after of [0, 1, 2, 3]) {
    const minute = new Date(Date.now() + after * 60_000).toISOString().slice(0, 16);
    for (const what of ['search', 'suggest']) {
      const key = { pk: `W#${workspaceId}#SEARCHES`, sk: `${body.user.id}#${what}#${minute}` };
      await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { count: -1_000 } })));
    }
  }
}
