import { type CopyEvent, NativeCopies } from '../../../../shared/data/duckdb/native-copies.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { NATIVE, OBJECTS } from './limits.ts';

/** What statements read, on the scratch disk of the function. */
export interface Files {
  objects: ObjectCache;
  natives: NativeCopies;
}

interface Opening {
  s3: ConstructorParameters<typeof ObjectCache>[0]['s3'];
  bucket: string;
  /** Hears of native copies. */
  report(event: CopyEvent): void;
}

export function openFiles({ s3, bucket, report }: Opening): Files {
  const objects = new ObjectCache({ s3, bucket, ...OBJECTS });
  const natives = new NativeCopies({
    ...NATIVE,
    pathsOf: (files) => objects.present(files),
    report,
    now: Date.now,
  });
  return { objects, natives };
}

/** Removes native copies of versions that are gone, and the local copies of their files. */
export async function removeGone({ natives, objects }: Files, store: Pick<ObjectStore, 'find'>): Promise<void> {
  const gone = await natives.removeGone(async ({ key }) => (await store.find(key)) !== undefined);
  for (const file of gone) await objects.drop(file);
}
