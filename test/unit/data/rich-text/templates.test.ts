import { describe, expect, it } from 'vitest';
import {
  inlineValuesOf,
  liveBlocksOf,
  mentionsOf,
  plainText,
  readRichText,
} from '../../../../shared/data/rich-text/index.ts';
import { asTemplate, fromTemplate, loadBuiltInTemplates } from '../../../../shared/data/story-templates/index.ts';
import { countedIds, EVERYTHING, SOME_ID } from './documents.ts';

const BUILT_IN_TEMPLATES = await loadBuiltInTemplates();

describe('built-in templates', () => {
  it('are six, each with a name of its own', () => {
    expect(BUILT_IN_TEMPLATES.map(({ id }) => id)).toEqual([
      'weekly-business-review',
      'metric-deep-dive',
      'experiment-read-out',
      'incident-review',
      'launch-report',
      'board-update',
    ]);
    expect(new Set(BUILT_IN_TEMPLATES.map(({ name }) => name)).size).toBe(6);
  });

  it.each(BUILT_IN_TEMPLATES)(
    '$name has valid sections with slots, and ids that are unique within it',
    ({ sections }) => {
      const takenIds = new Set<string>();
      for (const { title, content } of sections) {
        expect(title).not.toBe('');
        expect(readRichText(content, { newId: countedIds(), takenIds: new Set(takenIds) })).toEqual({
          isValid: true,
          content,
        });
        for (const { attrs } of content.content) takenIds.add(attrs.id);
        expect(plainText(content).length).toBeGreaterThan(10);
      }
      expect(sections.flatMap(({ content }) => liveBlocksOf(content)).length).toBeGreaterThan(2);
    },
  );
});

describe('a template made of a story', () => {
  const template = asTemplate(EVERYTHING);

  it('is valid, with slots in place of live blocks, and without numbers and people', () => {
    expect(readRichText(template, { newId: countedIds() })).toEqual({ isValid: true, content: template });
    expect(liveBlocksOf(template).map(({ part: { id, source } }) => [id, source])).toEqual([
      ['live', { kind: 'slot', label: 'Revenue' }],
      ['chart', { kind: 'slot', label: 'A card or a chart' }],
      ['slot', { kind: 'slot', label: 'The main metric' }],
    ]);
    expect(inlineValuesOf(template)).toEqual([]);
    expect(mentionsOf(template)).toEqual([]);
    expect(JSON.stringify(template)).not.toContain(SOME_ID);
    expect(plainText(template)).not.toMatch(/1,250|Ada/);
  });

  it('becomes a story with ids of its own and the chosen sources', () => {
    const source = { kind: 'card', dashboardId: SOME_ID, cardId: 'c9' } as const;
    const story = fromTemplate(template, countedIds(), new Map([['live', source]]));
    const ids = story.content.map(({ attrs }) => attrs.id);
    expect(new Set(ids).size).toBe(template.content.length);
    expect(ids.every((id) => id.startsWith('new-'))).toBe(true);
    expect(liveBlocksOf(story).map(({ part }) => part.source)).toEqual([
      source,
      { kind: 'slot', label: 'A card or a chart' },
      { kind: 'slot', label: 'The main metric' },
    ]);
    expect(plainText(story)).toBe(plainText(template));
  });
});
