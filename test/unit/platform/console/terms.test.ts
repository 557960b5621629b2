import { describe, expect, it } from 'vitest';
import { type TreeTerm, treeOf } from '../../../../functions/platform/console/site/data/term-tree.ts';

const namesOf = (terms: readonly TreeTerm[]): unknown[] =>
  terms.map(({ name, narrower }) => (narrower.length > 0 ? [name, ...namesOf(narrower)] : name));

describe('the tree of the glossary', () => {
  it('has terms below their broader ones, in order of names', () => {
    const csv = [
      'id,name,definition,status,broader',
      '1,Revenue,"What customers pay, ""gross""",approved,',
      '2,Churn,,draft,',
      '3,"Net, recurring","a\nb",draft,Revenue',
      '4,ARR,,draft,Net\\|x|revenue|3',
      "5,'=Formula,,draft,Nobody",
      '',
    ].join('\r\n');
    expect(namesOf(treeOf(csv))).toEqual(['=Formula', 'Churn', ['Revenue', 'ARR', ['Net, recurring', 'ARR']]]);
  });

  it('is empty without terms', () => {
    expect(treeOf('id,name,status,broader\r\n')).toEqual([]);
    expect(treeOf('')).toEqual([]);
  });
});
