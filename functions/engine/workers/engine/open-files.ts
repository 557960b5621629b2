import { type KeptEvent, KeptInstances } from '../../../../shared/data/duckdb/kept-instances.ts';
import { type CopyEvent, NativeCopies, type VersionFile } from '../../../../shared/data/duckdb/native-copies.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { KEPT, NATIVE, OBJECTS } from './limits.ts';

/** What statements read, on the scratch disk of the function. */
export interface Files {
  objects: ObjectCache;
  natives: NativeCopies;
  /** Instances that have read some of them. */
  kept: KeptInstances;
}

interface Opening {
  s3: ConstructorParameters<typeof ObjectCache>[0]['s3'];
  bucket: string;
  /** Hears of native copies. */
  report(event: CopyEvent): void;
  /** Hears of kept instances. */
  reportKept(event: KeptEvent): void;
}

export function openFiles({ s3, bucket, report, reportKept }: Opening): Files {
  const objects = new ObjectCache({ s3, bucket, ...OBJECTS });
  const kept = new KeptInstances({
    ...KEPT,
    onDisk: (files) => objects.fetchAll(files),
    report: reportKept,
    now: Date.now,
  });
  const natives = new NativeCopies({
    ...NATIVE,
    pathsOf: (files) => objects.present(files),
    release: (path) => kept.closeReading(path),
    report,
    now: Date.now,
  });
  return { objects, natives, kept };
}

/** Removes what is kept of versions that are gone: instances, native copies and the local copies of files. */
export async function removeGone({ natives, kept, objects }: Files, store: Pick<ObjectStore, 'find'>): Promise<void> {
  const known = new Map<string, Promise<boolean>>();
  const isThere = ({ key }: VersionFile): Promise<boolean> => {
    const found = known.get(key) ?? store.find(key).then((object) => object !== undefined);
    known.set(key, found);
    return found;
  };
  await kept.closeUnused();
  const gone = [...(await kept.closeGone(isThere)), ...(await natives.removeGone(isThere))];
  for (const file of gone) await objects.drop(file);
}
