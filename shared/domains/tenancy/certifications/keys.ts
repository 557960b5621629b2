import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { CertifiedPlace } from './records.ts';

/** The records of a workspace lie together, so that lists read those of a kind in one query. */
export const recordKey = ({ workspaceId, type, id }: CertifiedPlace): Key =>
  workspaceKey(workspaceId, 'CERTIFICATIONS', `${type}#${id}`);

export const recordsOf = (workspaceId: string, type = ''): Key =>
  workspaceKey(workspaceId, 'CERTIFICATIONS', type === '' ? '' : `${type}#`);

export const eventKey = ({ workspaceId, type, id }: CertifiedPlace, eventId: string): Key =>
  workspaceKey(workspaceId, `CERTIFICATION#${type}#${id}`, eventId);
