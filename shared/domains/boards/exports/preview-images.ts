import { createHash } from 'node:crypto';
import type { PreviewDocument } from '../../../data/documents/preview.ts';
import { codeDigest } from '../../../platform/objects/code-digest.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';

export interface PreviewImages {
  /** The key of the stored picture of exactly this. `admit` is called before another one is drawn. */
  through(workspaceId: string, document: PreviewDocument, admit: () => Promise<void>): Promise<string>;
}

/**
 * Pictures of previews beside those of cards, with the rows as part of the key: a change of the data leads to another
 * picture.
 */
export function previewImages(
  objects: Pick<ObjectStore, 'find' | 'write'>,
  drawingCode = () => codeDigest(import.meta.dirname, 'image-writer'),
): PreviewImages {
  let code: Promise<string> | undefined;

  return {
    async through(workspaceId, document, admit) {
      code ??= drawingCode();
      const digest = createHash('sha256')
        .update(`${await code}\n${JSON.stringify(document)}`)
        .digest('hex');
      const key = `results/${workspaceId}/drawings/${digest}.png`;
      if (await objects.find(key)) return key;
      await admit();
      const { writePreview } = await import('./image-writer.ts');
      await objects.write(key, await writePreview(document), 'image/png');
      return key;
    },
  };
}
