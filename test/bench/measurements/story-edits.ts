import type { Bench } from '../bench.ts';
import { HttpClient } from '../http-client.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { scaled } from '../scale.ts';
import { percentile, ratios, rounds, spread } from '../spread.ts';

const PARAGRAPHS = 100;
const THREADS = 200;
/** No person writes more comments a minute, so several do. */
const THREADS_PER_AUTHOR = 20;
const EDITS = scaled(40);
const EDIT_ROUNDS = 5;
const GOAL_MS = 250;
/** With its structure, a paragraph comes to about 640 bytes: 100 of them to just below the limit of 64 KiB. */
const FILLER = 'the north is behind its target and the reason is not known so far, '.repeat(8);

interface Section {
  path: string;
  storyId: string;
  id: string;
}

/** Edits of a full section, each of which moves the words that its comments are about. */
export async function storyEdits({ platform, deployment }: Bench): Promise<Result> {
  const discussed = await givenSection(platform);
  const quiet = await givenSection(platform);
  const admin = await signedIn(platform, deployment.credentials);
  await comment(platform, discussed, admin);
  admin.close();
  const edit = { count: 0 };
  const p95 = async (section: Section) =>
    percentile(await rounds(EDITS, () => timed(platform, section, textOf(++edit.count))), 95);
  for (const section of [discussed, quiet]) await p95(section);
  const measured = await rounds(EDIT_ROUNDS, async () => ({
    discussed: await p95(discussed),
    quiet: await p95(quiet),
  }));
  const [ours, theirs] = [measured.map((round) => round.discussed), measured.map((round) => round.quiet)];
  return {
    title: 'Edits of stories',
    rows: [
      {
        what: `PATCH of a section of 64 KiB with ${THREADS} threads, p95; against one without`,
        unit: 'ms',
        measured: spread(ours),
        reference: spread(theirs),
        ratio: ratios(ours, theirs),
        goal: { of: 'measured', atMost: GOAL_MS },
      },
    ],
    notes: [
      `Each of the ${PARAGRAPHS} paragraphs has ${THREADS / PARAGRAPHS} threads on words of its own. An edit replaces the text: it moves a paragraph and writes into others, so the words are looked for again. ${EDIT_ROUNDS} rounds of ${EDITS} edits one after the other, on a warm function.`,
    ],
    bound: 'the search for the words of all threads in the new text, and their writes.',
  };
}

const wordsOf = (paragraph: number, thread: number): string => `claim ${thread} of paragraph ${paragraph}`;

/** The text at its nth edit: one paragraph leads it, and every tenth one has been written into. */
function textOf(edit: number): object {
  const order = Array.from({ length: PARAGRAPHS }, (_, index) => (index + edit) % PARAGRAPHS);
  const content = order.map((index) => {
    const claims = Array.from({ length: THREADS / PARAGRAPHS }, (_, thread) => wordsOf(index, thread)).join(', and ');
    const head = index % 10 === edit % 10 ? `Edit ${edit}: ` : '';
    return {
      type: 'paragraph',
      attrs: { id: `p-${index}` },
      content: [{ type: 'text', text: `${head}${claims}: ${FILLER}` }],
    };
  });
  return { type: 'doc', content };
}

async function givenSection(platform: Platform): Promise<Section> {
  const sections = [{ title: 'Full', content: textOf(0) }];
  const story = await platform.call<{ id: string; sections: { id: string }[] }>('POST', '/api/stories', {
    title: 'Edits',
    sections,
  });
  const { id } = story.sections[0]!;
  return { path: `/api/stories/${story.id}/sections/${id}`, storyId: story.id, id };
}

async function timed(platform: Platform, { path }: Section, content: object): Promise<number> {
  const { status, text, ms } = await platform.http.send('PATCH', platform.endpoint + path, { content });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return ms;
}

async function comment(platform: Platform, { storyId, id: sectionId }: Section, admin: HttpClient): Promise<void> {
  let author: HttpClient | undefined;
  for (let index = 0; index < THREADS; index += 1) {
    if (index % THREADS_PER_AUTHOR === 0) {
      author?.close();
      author = await newAuthor(platform, admin, index);
    }
    const paragraph = index % PARAGRAPHS;
    const quote = { exact: wordsOf(paragraph, Math.floor(index / PARAGRAPHS)) };
    const { status, text } = await author!.send('POST', `${platform.endpoint}/api/comments`, {
      resourceType: 'story',
      resourceId: storyId,
      content: 'Is this so?',
      context: { kind: 'text', sectionId, blockId: `p-${paragraph}`, quote },
    });
    if (status !== 201) throw new Error(`a comment answered ${status}: ${text}`);
  }
  author?.close();
}

async function newAuthor({ endpoint }: Platform, admin: HttpClient, number: number): Promise<HttpClient> {
  const created = async (path: string, body: object) => {
    const { status, text } = await admin.send('POST', endpoint + path, body);
    if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text) as { id: string; key: string };
  };
  const account = { name: `author ${number} ${crypto.randomUUID()}`, role: 'editor' };
  const { id: serviceAccountId } = await created('/api/service-accounts', account);
  const { key } = await created('/api/api-keys', { name: 'author', scope: 'admin', serviceAccountId });
  return new HttpClient({ authorization: `Bearer ${key}` });
}

/** API keys cannot make others. */
async function signedIn(
  { http, endpoint, workspaceId }: Platform,
  { email, password }: Bench['deployment']['credentials'],
): Promise<HttpClient> {
  const { text } = await http.send('POST', `${endpoint}/api/auth/login`, { email, password, workspaceId });
  return new HttpClient({ authorization: `Bearer ${JSON.parse(text).accessToken}` });
}
