import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shareFolder } from '../../assembly/share-folder.ts';

it('the files of a shared folder need no extra space, and outlive the original', async () => {
  const root = mkdtempSync(join(tmpdir(), 'share-folder-'));
  const [original, shared] = [join(root, 'original'), join(root, 'shared')];
  mkdirSync(join(original, 'deep/er'), { recursive: true });
  writeFileSync(join(original, 'one'), '1');
  writeFileSync(join(original, 'deep/er/two'), '2');
  await shareFolder(original, shared);
  for (const file of ['one', 'deep/er/two']) {
    expect(statSync(join(shared, file)).ino).toBe(statSync(join(original, file)).ino);
  }
  rmSync(original, { recursive: true });
  expect(['one', 'deep/er/two'].map((file) => readFileSync(join(shared, file), 'utf8'))).toEqual(['1', '2']);
  rmSync(root, { recursive: true });
});
