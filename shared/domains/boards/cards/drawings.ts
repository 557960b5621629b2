import { createHash } from 'node:crypto';
import type { ChartLook } from '../../../data/charts/chart-look.ts';
import type { DrawOptions } from '../../../data/charts/draw.ts';
import { codeDigest } from '../../../platform/objects/code-digest.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { LatestEntries } from '../../../platform/storage/latest-entries.ts';
import type { CardRows } from './card-rows.ts';

/** Everything that a picture depends on besides the code that draws it. */
export interface Drawn extends Pick<CardRows, 'columns' | 'rowsJson' | 'totals'>, DrawOptions {
  look: ChartLook;
}

export interface Drawings {
  /** The stored picture of exactly this, or a new one. */
  through(workspaceId: string, drawn: Drawn, draw: () => Promise<string>): Promise<string>;
}

const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;
/** Larger pictures are rare, and drawn again each time: readers of links choose their sizes. */
const MAX_STORED_CHARACTERS = 512 * 1024;

/**
 * Pictures beside the cached rows that they show, which expire like them. The rows themselves are part of the key,
 * after they were read for the reader: only readers who see the same rows can get the same picture, and it never
 * outlives a change of the data.
 */
export function cardDrawings(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  drawingCode = () => codeDigest(import.meta.dirname, 'drawing'),
): Drawings {
  const cache = new LatestEntries<string>(MAX_CACHED_CHARACTERS, ({ length }) => length);
  let code: Promise<string> | undefined;

  async function load(key: string): Promise<string | undefined> {
    try {
      return (await objects.read(key)).toString('utf8');
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  return {
    async through(workspaceId, { rowsJson, ...drawn }, draw) {
      code ??= drawingCode();
      const digest = createHash('sha256')
        .update(`${await code}\n${JSON.stringify(drawn)}\n`)
        .update(rowsJson)
        .digest('hex');
      const key = `results/${workspaceId}/drawings/${digest}`;
      const known = cache.get(key) ?? (await load(key));
      const svg = known ?? (await draw());
      if (svg.length > MAX_STORED_CHARACTERS) return svg;
      cache.set(key, svg);
      if (known === undefined) await objects.write(key, Buffer.from(svg), 'image/svg+xml');
      return svg;
    },
  };
}
