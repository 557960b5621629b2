import { describe, expect, it } from 'vitest';
import {
  contentOf,
  fixedBlock,
  inserted,
  movedBy,
  ReportDraft,
  reportDifferences,
  withoutParameter,
  withParameter,
} from '../../../../functions/platform/console/site/data/report-draft.ts';
import type { Block, Report } from '../../../../functions/platform/console/site/data/reports.ts';

const heading = (id: string, text = id): Block => ({ id, type: 'heading', text });
const chart = {
  id: 'chart-1',
  type: 'table',
  chartSpec: { version: 1, query: { source: { kind: 'dataset', id: 'd' } }, mark: { type: 'table' } },
  bindings: [{ parameter: 'region', fieldId: 'region' }],
} as Block;
const report = (change: object = {}) =>
  ({
    name: 'Monthly',
    description: '',
    layout: { blocks: [heading('a'), heading('b'), chart] },
    parameters: [{ name: 'region', type: 'text' }],
    revision: 1,
    ...change,
  }) as unknown as Report;
const ids = (blocks: readonly { id: string }[]) => blocks.map(({ id }) => id);

describe('the draft of a report', () => {
  it('adds blocks with free ids, and moves them no farther than the ends', () => {
    const { blocks } = contentOf(report());
    const more = inserted(blocks, 0, fixedBlock('text', blocks));
    expect(ids(more)).toEqual(['a', 'text-1', 'b', 'chart-1']);
    expect(fixedBlock('text', more).id).toBe('text-2');
    expect(ids(inserted(blocks, -1, heading('first')))[0]).toBe('first');
    expect(ids(movedBy(more, 0, 2))).toEqual(['text-1', 'b', 'a', 'chart-1']);
    expect(ids(movedBy(more, 0, -1))).toEqual(ids(more));
    expect(ids(movedBy(more, 3, 5))).toEqual(ids(more));
  });

  it('keeps the bindings of blocks to their parameters', () => {
    const content = contentOf(report());
    const renamed = withParameter(content, 0, { name: 'area', type: 'text' });
    expect(renamed.blocks?.[2]).toMatchObject({ bindings: [{ parameter: 'area', fieldId: 'region' }] });
    const removed = withoutParameter(content, 0);
    expect(removed.parameters).toEqual([]);
    expect(removed.blocks?.[2]).not.toHaveProperty('bindings');
  });

  it('follows what others save until it has changes of its own', () => {
    const draft = new ReportDraft(report());
    draft.follow(report({ name: 'Weekly', revision: 2 }));
    expect([draft.content.value.name, draft.revision.value, draft.isChanged]).toEqual(['Weekly', 2, false]);
    draft.set({ description: 'mine' });
    // Only published: no conflict.
    draft.follow(report({ name: 'Weekly', isPublished: true, revision: 3 }));
    expect([draft.revision.value, draft.isChanged]).toEqual([3, true]);
    draft.follow(report({ name: 'Of others', revision: 4 }));
    expect([draft.content.value.name, draft.revision.value]).toEqual(['Weekly', 3]);
  });

  it('keeps what was typed while it was saved', () => {
    const draft = new ReportDraft(report());
    draft.set({ name: 'Sent ' });
    const sent = draft.content.value;
    draft.set({ name: 'Typed' });
    draft.saved(sent, report({ name: 'Sent', revision: 2 }));
    expect([draft.content.value.name, draft.isChanged]).toEqual(['Typed', true]);
    const again = draft.content.value;
    draft.saved(again, report({ name: 'Typed', revision: 3 }));
    expect(draft.isChanged).toBe(false);
  });

  it('says block by block where two versions differ', () => {
    const mine = contentOf(report({ layout: { blocks: [heading('b'), heading('a', 'mine'), heading('n', 'new')] } }));
    const theirs = contentOf(report({ name: 'Theirs', layout: { blocks: [heading('a', 'theirs'), heading('b')] } }));
    expect(reportDifferences(theirs, mine)).toEqual([
      { label: 'Name', theirs: 'Theirs', mine: 'Monthly' },
      { label: 'mine', theirs: 'theirs', mine: 'mine' },
      { label: 'new', theirs: 'removed', mine: 'new' },
      { label: 'Order', theirs: 'theirs, b', mine: 'b, mine, new' },
    ]);
    expect(reportDifferences(mine, mine)).toEqual([]);
  });
});
