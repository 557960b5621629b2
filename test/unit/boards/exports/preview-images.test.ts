import { expect, it } from 'vitest';
import { DEFAULT_TOKENS } from '../../../../shared/data/charts/theme.ts';
import type { PreviewDocument } from '../../../../shared/data/documents/preview.ts';
import { previewImages } from '../../../../shared/domains/boards/exports/index.ts';

const previewed = (text: string): PreviewDocument => ({
  title: 'Sales',
  description: '',
  theme: DEFAULT_TOKENS,
  cards: [{ title: '', description: '', position: { x: 0, y: 0, w: 24, h: 4 }, content: { kind: 'text', text } }],
});
const code = (version: string) => async () => version;

it('a picture is drawn once for all that it depends on, and not for readers who may have no more', async () => {
  const kept = new Map<string, Buffer>();
  const objects = {
    find: async (key: string) => (kept.has(key) ? { etag: '', sizeBytes: 1 } : undefined),
    write: async (key: string, content: Buffer) => void kept.set(key, content),
  };
  let admitted = 0;
  const admit = async () => {
    admitted += 1;
  };
  const images = previewImages(objects, code('a'));
  const key = await images.through('w1', previewed('North'), admit);
  expect(key).toMatch(/^results\/w1\/drawings\/[0-9a-f]{64}\.png$/);
  expect(kept.get(key)!.subarray(1, 4).toString()).toBe('PNG');
  for (const instance of [images, previewImages(objects, code('a'))])
    expect(await instance.through('w1', previewed('North'), admit)).toBe(key);
  expect(admitted).toBe(1);

  const refusing = () => Promise.reject(new Error('no more'));
  await expect(images.through('w1', previewed('South'), refusing)).rejects.toThrow('no more');
  expect(await images.through('w1', previewed('North'), refusing)).toBe(key);
  expect(kept.size).toBe(1);
  // Other rows, another workspace, and a release that draws differently.
  const others = [
    await images.through('w1', previewed('South'), admit),
    await images.through('w2', previewed('North'), admit),
    await previewImages(objects, code('b')).through('w1', previewed('North'), admit),
  ];
  expect(new Set([key, ...others]).size).toBe(4);
  expect([kept.size, admitted]).toEqual([4, 4]);
});
