import type { Api, Caller } from '../api.ts';
import { givenMember } from './member.ts';
import { posted } from './model.ts';

export const paragraph = (id: string, text: string) => ({
  type: 'paragraph',
  attrs: { id },
  ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
});

export const doc = (...blocks: object[]) => ({ type: 'doc', content: blocks });

export const texts = (...pairs: [id: string, text: string][]) => doc(...pairs.map(([id, text]) => paragraph(id, text)));

/** A paragraph with an inline value of a metric between two texts. */
export const valueParagraph = (
  id: string,
  valueId: string,
  written: string,
  before = 'It is ',
  metricId: string = crypto.randomUUID(),
) => ({
  type: 'paragraph',
  attrs: { id },
  content: [
    { type: 'text', text: before },
    { type: 'value', attrs: { id: valueId, source: { metricId }, written } },
    { type: 'text', text: '.' },
  ],
});

export interface GivenStory {
  id: string;
  path: string;
  /** The ids of its sections, in order. */
  sections: string[];
}

/** A story of the editor with a section for each content. */
export async function givenStory(api: Api, ...contents: object[]): Promise<GivenStory> {
  const sections = contents.map((content, index) => ({ title: `Section ${index + 1}`, content }));
  const story = await posted(api, '/api/stories', { title: 'Weekly', sections });
  return {
    id: story.id,
    path: `/api/stories/${story.id}`,
    sections: (story.sections as { id: string }[]).map(({ id }) => id),
  };
}

export interface StoryMember {
  userId: string;
  email: string;
  caller: Caller;
}

/** A member with the role `viewer` and a grant on the story. */
export async function givenGrantee(
  api: Api,
  { path }: Pick<GivenStory, 'path'>,
  permission?: string,
): Promise<StoryMember> {
  const { userId, token, email } = await givenMember(api);
  if (permission !== undefined) await api.as('owner').put(`${path}/access/user/${userId}`, { permission });
  return { userId, email, caller: api.as({ token }) };
}

/** A live block with a card of a dashboard, or with a chart of its own. */
export const liveBlock = (id: string, source: object, more: object = {}) => ({
  type: 'liveBlock',
  attrs: { id, source, ...more },
});
export const cardBlock = (id: string, dashboardId: string, cardId: string) =>
  liveBlock(id, { kind: 'card', dashboardId, cardId });
export const chartBlock = (id: string, query: object, look: object = { mark: { type: 'table' } }) =>
  liveBlock(id, { kind: 'chart', chartSpec: { version: 1, query, ...look } });
