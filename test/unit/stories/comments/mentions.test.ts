import { describe, expect, it } from 'vitest';
import { groupOf, mentionsIn, plainText } from '../../../../shared/domains/stories/comments/index.ts';

const ADA = '00000000-0000-7000-8000-00000000000a';
const BOB = '00000000-0000-7000-8000-00000000000b';

describe('mentions', () => {
  it.each<[content: string, mentions: string[]]>([
    ['', []],
    ['write to ada@example.com', []],
    [`@[Ada](user:${ADA})`, [ADA]],
    [`@[Ada](user:${ADA}) and @[Finance](group:${BOB}), again @[A.](user:${ADA})`, [ADA, `group:${BOB}`]],
    [`@[](user:${ADA})`, []],
    [`@[Ada](user:${ADA.toUpperCase()}X)`, []],
    [`[Ada](user:${ADA})`, []],
    [`@[two\nlines](user:${ADA})`, []],
    [`@[@[Ada](user:${ADA})`, [ADA]],
    [`@[Ada](https://example.com/${ADA})`, []],
  ])('of %j are %j', (content, mentions) => {
    expect(mentionsIn(content)).toEqual(mentions);
  });

  it('are names in plain text, and everything else stays', () => {
    expect(plainText(`@[Ada L.](user:${ADA}): see [this](https://example.com) <b>`)).toBe(
      '@Ada L.: see [this](https://example.com) <b>',
    );
  });

  it('name a user or a group', () => {
    expect([groupOf(`group:${ADA}`), groupOf(ADA)]).toEqual([ADA, undefined]);
  });
});
