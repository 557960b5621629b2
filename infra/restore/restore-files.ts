import {
  CopyObjectCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

export interface FilesRestore {
  client: S3Client;
  bucket: string;
  at: Date;
  log(line: string): void;
}

export interface RestoredFiles {
  /** Files that were deleted since. */
  undeleted: number;
  /** Files that were replaced since. */
  reverted: number;
  /** Files that are too large to be reverted by a copy. */
  skipped: number;
}

/** One version of an object, or the marker of its deletion. Versions of a key are listed newest first. */
interface Version {
  key: string;
  id: string;
  modified: Date;
  bytes: number;
  isDeletion: boolean;
}

/** Answers of queries and outputs of steps are temporary; only the files of workspaces are restored. */
const PREFIX = 'W/';

/**
 * Brings back the files of workspaces that were deleted or replaced since a moment. Files that were added since are
 * kept: nothing refers to them. Running it twice changes nothing the second time.
 */
export async function restoreFiles(restore: FilesRestore): Promise<RestoredFiles> {
  const restored: RestoredFiles = { undeleted: 0, reverted: 0, skipped: 0 };
  for await (const versions of keysOf(restore)) {
    const then = versions.find(({ modified }) => modified <= restore.at);
    const now = versions[0]!;
    if (!then || then.isDeletion || then === now) continue;
    if (versions.slice(0, versions.indexOf(then)).every(({ isDeletion }) => isDeletion)) {
      await undelete(restore, versions, then);
      restored.undeleted++;
    } else if (await revert(restore, then)) restored.reverted++;
    else restored.skipped++;
  }
  return restored;
}

/** The versions of one key at a time. */
async function* keysOf({ client, bucket, log }: FilesRestore): AsyncGenerator<Version[]> {
  let versions: Version[] = [];
  let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  let listed = 0;
  while (next) {
    const page: ListObjectVersionsCommandOutput = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: PREFIX, ...next }),
    );
    for (const version of newestFirst(page)) {
      if (versions[0] && versions[0].key !== version.key) {
        yield versions;
        versions = [];
      }
      versions.push(version);
    }
    listed += (page.Versions?.length ?? 0) + (page.DeleteMarkers?.length ?? 0);
    if (page.IsTruncated) log(`Compared ${listed} versions …`);
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker!, VersionIdMarker: page.NextVersionIdMarker! }
      : undefined;
  }
  if (versions.length > 0) yield versions;
}

type Page = { Versions?: Listed[] | undefined; DeleteMarkers?: Listed[] | undefined };
interface Listed {
  Key?: string | undefined;
  VersionId?: string | undefined;
  LastModified?: Date | undefined;
  Size?: number | undefined;
  IsLatest?: boolean | undefined;
}

/** The SDK lists versions and deletions apart; of equal times, the latest comes first. */
function newestFirst({ Versions: versions = [], DeleteMarkers: markers = [] }: Page): Version[] {
  const of = (isDeletion: boolean) => (listed: Listed) => ({
    key: listed.Key!,
    id: listed.VersionId!,
    modified: listed.LastModified!,
    bytes: listed.Size ?? 0,
    isLatest: listed.IsLatest ?? false,
    isDeletion,
  });
  return [...markers.map(of(true)), ...versions.map(of(false))].sort(
    (a, b) =>
      (a.key < b.key ? -1 : Number(a.key > b.key)) ||
      Number(b.isLatest) - Number(a.isLatest) ||
      b.modified.getTime() - a.modified.getTime(),
  );
}

/** Removing the markers of a deletion makes the version below them the current one, whatever its size. */
async function undelete({ client, bucket }: FilesRestore, versions: Version[], then: Version): Promise<void> {
  for (const { key, id } of versions.slice(0, versions.indexOf(then))) {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: id }));
  }
}

const COPY_LIMIT_BYTES = 5 * 1024 ** 3;

/** Copies a version over the current one, which stays as an earlier version. Returns whether it could. */
async function revert({ client, bucket, log }: FilesRestore, { key, id, bytes }: Version): Promise<boolean> {
  if (bytes > COPY_LIMIT_BYTES) {
    log(`${key} is too large for one copy. Copy version ${id} over it with the AWS CLI.`);
    return false;
  }
  const source = `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}?versionId=${encodeURIComponent(id)}`;
  await client.send(new CopyObjectCommand({ Bucket: bucket, Key: key, CopySource: source }));
  return true;
}
