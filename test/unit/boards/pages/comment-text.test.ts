import { describe, expect, it } from 'vitest';
import { addName, editedText, type Names, storedText } from '../../../../functions/boards/pages/site/comments/text.ts';

const ID = ['a', 'b', 'c'].map((end) => `00000000-0000-7000-8000-00000000000${end}`);
const person = (index: number, name: string) => ({ id: ID[index]!, name, email: `${index}@example.com` });

describe('the text of a comment as people type it', () => {
  it('is stored with the ids of those who were chosen, the longest name first', () => {
    const names: Names = new Map();
    for (const [index, name] of ['Ann', 'Ann Lee'].entries()) addName(names, person(index, name));
    addName(names, { id: `group:${ID[2]}`, name: 'Finance', email: null });
    expect(storedText('@Ann Lee, @Ann! @Anna @Finance x@Ann @Bob', names)).toBe(
      `@[Ann Lee](user:${ID[1]}), @[Ann](user:${ID[0]})! @Anna @[Finance](group:${ID[2]}) x@[Ann](user:${ID[0]}) @Bob`,
    );
  });

  it('keeps people of one name apart', () => {
    const names: Names = new Map();
    expect([
      addName(names, person(0, 'Ann')),
      addName(names, person(1, 'Ann')),
      addName(names, person(0, 'Ann')),
    ]).toEqual(['Ann', 'Ann (1@example.com)', 'Ann']);
    expect(storedText('@Ann @Ann (1@example.com)', names)).toBe(
      `@[Ann](user:${ID[0]}) @[Ann (1@example.com)](user:${ID[1]})`,
    );
  });

  it('is the same after an edit that changes nothing, with the names of now', () => {
    const content = `@[Old](user:${ID[0]}) and @[Ann](user:${ID[1]}), see https://example.com/a.`;
    const mentions = [0, 1].map((index) => ({ id: ID[index]!, name: 'Ann' }));
    const names: Names = new Map();
    const typed = editedText({ content, mentions }, names);
    expect(typed).toBe('@Ann and @Ann (000b), see https://example.com/a.');
    expect(storedText(typed, names)).toBe(
      `@[Ann](user:${ID[0]}) and @[Ann (000b)](user:${ID[1]}), see https://example.com/a.`,
    );
  });
});
