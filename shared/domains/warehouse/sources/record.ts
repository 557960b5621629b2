import type { Static } from 'typebox';
import type { SettingsOf, SourceType } from '../../../data/connectors/source-types.ts';
import { Id, Name, Nullable, Revision, Timestamp } from '../../../platform/http/schemas.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';
export const dataSourceProperties = {
  id: Id,
  workspaceId: Id,
  name: Name,
  /** When the catalogue is read again. */
  schedule: Nullable(Schedule),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export type DataSource = {
  [K in keyof typeof dataSourceProperties]: Static<(typeof dataSourceProperties)[K]>;
} & { [T in SourceType]: Pick<SettingsOf<T>, 'type' | 'config'> }[SourceType];

/** As stored: the secrets are the sealed text of a JSON object (`shared/platform/crypto/secret-box.ts`). */
export type StoredDataSource = DataSource & { sealedSecrets?: string };

/** The key of an uploaded file of a `file` source. Uploading to the same path replaces the file. */
export function uploadKey(workspaceId: string, sourceId: string, path: string): string {
  return `W/${workspaceId}/uploads/${sourceId}/${path}`;
}
