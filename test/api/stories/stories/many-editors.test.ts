import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { cases } from '../../../support/cases.ts';
import { doc, type GivenStory, givenGrantee, givenStory, paragraph } from '../../../support/given/stories.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const EDITORS = cases(6, 200);
const TURNS = cases(5, 10);
const SECTIONS = cases(3, 20);
const PARAGRAPHS = 6;
const AT_ONCE = 16;

type Paragraph = ReturnType<typeof paragraph> & { content?: { text: string }[] };
type Random = (below: number) => number;

/** What an editor has in front of them: the text they started from, with what they have typed into it. */
interface Draft {
  editSeq: number;
  blocks: Paragraph[];
}

interface Typist {
  caller: Caller;
  random: Random;
  drafts: Map<string, Draft>;
  locks: Map<string, string>;
}

function randomBelow(seed: number): Random {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

const textOf = ({ content }: Paragraph): string => content?.[0]?.text ?? '';

describe('a story that many people write at the same time', () => {
  it('loses nothing that they typed: it is in the story, or in a revision that a reply names', async ({ api }) => {
    const story = await givenStory(api, ...Array.from({ length: SECTIONS }, (_, section) => startOf(section)));
    const typed: string[] = [];
    const revisions = new Map<string, Caller>();
    const statuses = new Map<number, number>();
    const turn = async (typist: Typist, mark: string) => {
      const sectionId = story.sections[typist.random(SECTIONS)]!;
      const path = `${story.path}/sections/${sectionId}`;
      await visit(typist, story, sectionId);
      const draft = await draftOf(typist, story, sectionId);
      write(typist.random, draft, mark);
      typed.push(mark);
      const base = typist.random(5) === 0 ? '' : `?baseEditSeq=${draft.editSeq}`;
      const { status, body } = await typist.caller.patch(`${path}${base}`, { content: doc(...draft.blocks) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([200, 409, 423, 503], JSON.stringify(body)).toContain(status);
      if (status === 200) {
        typist.drafts.set(sectionId, { editSeq: body.editSeq, blocks: body.content.content });
        if (body.overwrote) revisions.set(`${path}/revisions/${body.overwrote.revisionId}`, typist.caller);
      } else {
        expect(body.revisionId, `${mark}: ${JSON.stringify(body)}`).toBeDefined();
        revisions.set(`${path}/revisions/${body.revisionId}`, typist.caller);
        // After a conflict the editor begins again with the present text.
        if (status === 409) typist.drafts.delete(sectionId);
      }
      if (typist.random(2) === 0) await leave(typist, story, sectionId);
    };
    const typists = await inParts(EDITORS, async (editor) => givenTypist(api, story, editor));
    await inParts(EDITORS, async (editor) => {
      for (let index = 0; index < TURNS; index += 1) await turn(typists[editor]!, `[${editor}.${index}]`);
    });
    expect(statuses.get(200), 'edits that were saved').toBeGreaterThan(EDITORS / 2);

    const { body } = await api.as('owner').get(story.path);
    const present = JSON.stringify(body.sections);
    const kept: string[] = [];
    const named = [...revisions];
    await inParts(named.length, async (index) => {
      const [path, caller] = named[index]!;
      const revision = await caller.get(path);
      expect(revision.status, path).toBe(200);
      kept.push(JSON.stringify(revision.body.content));
    });
    const everything = [present, ...kept].join('\n');
    expect(typed.filter((mark) => !everything.includes(mark))).toEqual([]);
  });
});

const startOf = (section: number) =>
  doc(...Array.from({ length: PARAGRAPHS }, (_, index) => paragraph(`s${section}-${index}`, `Paragraph ${index}.`)));

async function givenTypist(api: Api, story: GivenStory, seed: number): Promise<Typist> {
  const { caller } = await givenGrantee(api, story, 'contributor');
  return { caller, random: randomBelow(seed + 1), drafts: new Map(), locks: new Map() };
}

/** Shows the others where the editor is, and takes the lock of the section now and then. */
async function visit({ caller, random, locks }: Typist, { path }: GivenStory, sectionId: string): Promise<void> {
  expect((await caller.post(`${path}/presence`, { sectionId })).status).toBe(200);
  if (random(4) > 0) return;
  const lock = await caller.post(`${path}/sections/${sectionId}/lock`);
  expect([200, 423]).toContain(lock.status);
  if (lock.status === 200) locks.set(sectionId, lock.body.lockId);
}

async function leave({ caller, locks }: Typist, { path }: GivenStory, sectionId: string): Promise<void> {
  if (!locks.delete(sectionId)) return;
  expect((await caller.delete(`${path}/sections/${sectionId}/lock`)).status).toBe(204);
}

async function draftOf({ caller, drafts }: Typist, { path }: GivenStory, sectionId: string): Promise<Draft> {
  const known = drafts.get(sectionId);
  if (known) return known;
  const { body } = await caller.get(path);
  const section = (body.sections as { id: string; editSeq: number; content: { content: Paragraph[] } }[]).find(
    ({ id }) => id === sectionId,
  )!;
  const draft = { editSeq: section.editSeq, blocks: section.content.content };
  drafts.set(sectionId, draft);
  return draft;
}

/** Adds a paragraph, or words to one. */
function write(random: Random, { blocks }: Draft, mark: string): void {
  const at = random(blocks.length);
  if (random(2) === 0) blocks.splice(at, 0, paragraph(`b${mark.slice(1, -1).replace('.', '-')}`, mark));
  else
    blocks[at] = { ...blocks[at]!, content: [{ type: 'text', text: `${textOf(blocks[at]!)} ${mark}` }] } as Paragraph;
}

/** Some at a time, in order. */
async function inParts<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
