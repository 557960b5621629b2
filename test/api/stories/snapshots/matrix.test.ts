import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { type GivenReader, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import {
  givenSnapshotStory,
  KINDS,
  type Kind,
  LATER_ROW,
  published,
  type SnapshotStory,
} from '../../../support/given/snapshots.ts';
import { openDatabase, type TestDatabase } from '../../../support/postgres-database.ts';

let server: TestDatabase;
beforeAll(async () => {
  server = await openDatabase();
});
afterAll(() => server.drop());

interface Class {
  role?: string;
  attributes: Record<string, string | string[]>;
  /** The names of the people whose rows the class sees. */
  names: readonly string[];
  seesSalaries?: true;
}

const EU = ['Ann', 'Bob', 'Cid'];
const CLASSES: Record<string, Class> = {
  all: {
    role: 'admin',
    attributes: { sensitivityLabels: ['Private'] },
    names: [...EU, SECRET_ROW],
    seesSalaries: true,
  },
  'all rows': { role: 'admin', attributes: {}, names: [...EU, SECRET_ROW] },
  eu: { attributes: { region: 'eu' }, names: EU },
  us: { attributes: { region: 'us' }, names: [SECRET_ROW] },
  'eu with salaries': { attributes: { region: 'eu', sensitivityLabels: ['Private'] }, names: EU, seesSalaries: true },
  'us with salaries': {
    attributes: { region: 'us', sensitivityLabels: ['Private'] },
    names: [SECRET_ROW],
    seesSalaries: true,
  },
  'both regions': { attributes: { region: ['eu', 'us'] }, names: [...EU, SECRET_ROW] },
  nowhere: { attributes: {}, names: [] },
};

const people = (names: readonly string[]) => names.reduce((sum, name) => sum + (name === SECRET_ROW ? 2 : 1), 0);

async function rowsOf(caller: Caller, { path }: SnapshotStory, blockId: string) {
  const reply = await caller.post(`${path}/blocks/${blockId}/data?view=published`);
  const text = JSON.stringify(reply.body);
  expect(reply.status, text).not.toBe(500);
  return { status: reply.status, body: reply.body, text };
}

/** Nothing in the reply is from a row or a column that the class does not see, nor from after the publication. */
function expectNothingForeign(text: string, { names, seesSalaries }: Class, where: string) {
  for (const name of [...EU, SECRET_ROW]) {
    if (!names.includes(name)) expect(text, `${where}: ${name}`).not.toContain(`"${name}"`);
  }
  if (!seesSalaries || !names.includes('Cid')) expect(text, where).not.toContain(SECRET_COLUMN);
  expect(text, where).not.toContain(LATER_ROW);
}

/** What the class sees of the rows that the publisher has stored, if they cannot be computed again. */
function storedFor(publisher: Class, reader: Class): boolean {
  const isSame = JSON.stringify(publisher.attributes) === JSON.stringify(reader.attributes);
  return (isSame && publisher.role === reader.role) || (reader.role === 'admin' && reader.seesSalaries === true);
}

function expectRows(kind: Kind, { status, body, text }: Reply, { publisher, reader, where }: Read): void {
  const names = kind === 'database' ? publisher.names : reader.names;
  if (kind === 'database' && !storedFor(publisher, reader)) {
    expect([status, body.code], where).toEqual([403, 'SNAPSHOT_OTHER_RIGHTS']);
    return;
  }
  expect(status, `${where}: ${text}`).toBe(200);
  const rows = body.rows as unknown[][];
  if (kind === 'metric') {
    const row = rows.find(([year]) => year === '2024-01-01');
    expect(Number(row?.[1] ?? 0), where).toBe(people(names));
  } else expect([...new Set(rows.flat())].sort(), where).toEqual([...names].sort());
}

type Reply = Awaited<ReturnType<typeof rowsOf>>;

interface Read {
  publisher: Class;
  reader: Class;
  where: string;
}

async function expectKind(caller: Caller, story: SnapshotStory, { kind, ...read }: Read & { kind: Kind }) {
  const { reader, where } = read;
  const names = await rowsOf(caller, story, `${kind}-name`);
  expectNothingForeign(names.text, reader, where);
  expectRows(kind, names, read);
  if (kind === 'metric') return;
  const salaries = await rowsOf(caller, story, `${kind}-salary`);
  expectNothingForeign(salaries.text, reader, `salaries, ${where}`);
  if (!reader.seesSalaries) expect(salaries.status, `salaries, ${where}`).not.toBe(200);
  else if (kind !== 'database') expect(salaries.status, `salaries, ${where}: ${salaries.text}`).toBe(200);
}

async function expectValue(caller: Caller, { path }: SnapshotStory, reader: Class, name: string) {
  const shown = await caller.get(`${path}?view=published`);
  expectNothingForeign(JSON.stringify(shown.body), reader, `story for ${name}`);
  expect(shown.body.sections[0].values[0], name).toMatchObject({ now: String(people(reader.names)) });
}

describe('a snapshot', () => {
  for (const publisherName of ['all', 'eu', 'us with salaries'] as const)
    it(`shows each reader their own rows of then, and no others, published by ${publisherName}`, async ({ api }) => {
      const story = await givenSnapshotStory(api, server);
      const publisher = CLASSES[publisherName]!;
      const by = await givenReader(api, { role: publisher.role ?? 'editor', attributes: publisher.attributes });
      await published(by.caller, story);
      for (const name of ['people', 'desks'])
        await givenDataset(api, {
          name,
          sql: `SELECT *, DATE '2024-01-05' AS day FROM (VALUES (1, 'eu', '${LATER_ROW}', '${LATER_ROW}'),
          (4, 'us', '${LATER_ROW}', '${LATER_ROW}')) AS t(id, region, name, salary)`,
        });
      await server.run(`UPDATE staff SET name = '${LATER_ROW}', salary = '${LATER_ROW}'`);
      const readers = new Map<string, GivenReader>();
      for (const [name, { role = 'viewer', attributes }] of Object.entries(CLASSES))
        readers.set(name, await givenReader(api, { role, attributes }));
      for (const cache of ['cold', 'warm'])
        for (const [name, { caller }] of readers) {
          const reader = CLASSES[name]!;
          for (const kind of KINDS) {
            const where = `${kind} for ${name} (${cache})`;
            await expectKind(caller, story, { kind, publisher, reader, where });
          }
          await expectValue(caller, story, reader, name);
        }
    });
});
