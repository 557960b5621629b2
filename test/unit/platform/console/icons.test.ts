import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { iconSprite } from '../../../../infra/icons/sprite.ts';

it('the icons of the console are those of its list: run `npm run icons`', () => {
  const file = join(import.meta.dirname, '../../../../functions/platform/console/site/icons.svg');
  expect(readFileSync(file, 'utf8')).toBe(iconSprite());
});
