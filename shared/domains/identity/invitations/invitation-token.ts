import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import type { InvitationRecord } from './records.ts';

const TOKEN = /^iv_([0-9a-f-]{36})_([0-9a-f-]{36})_([A-Za-z0-9_-]{43})$/;

/**
 * `iv_<workspace>_<invitation>_<signature>`. The token follows from the invitation and the master secret, so it is
 * stored nowhere, and a mail that is sent twice has the same one.
 */
export interface InvitationTokens {
  /** The version of the secret for a new token. */
  version(): Promise<number>;
  of(invitation: InvitationRecord): Promise<string>;
  /** Whose token it claims to be; undefined for any other text. */
  parse(token: string): { workspaceId: string; id: string } | undefined;
  matches(invitation: InvitationRecord, token: string): Promise<boolean>;
}

export function invitationTokens(master: MasterSecret): InvitationTokens {
  const tokens: InvitationTokens = {
    version: async () => (await master.derive('invitations')).version,
    async of({ workspaceId, id, serial, secretVersion }) {
      const { key } = await master.derive('invitations', secretVersion);
      const signature = createHmac('sha256', key).update(`${workspaceId}/${id}/${serial}`).digest('base64url');
      return `iv_${workspaceId}_${id}_${signature}`;
    },
    parse(token) {
      const [, workspaceId, id] = TOKEN.exec(token) ?? [];
      return workspaceId === undefined || id === undefined ? undefined : { workspaceId, id };
    },
    async matches(invitation, token) {
      const [expected, actual] = [await tokens.of(invitation), token].map((text) => Buffer.from(text));
      return expected!.length === actual!.length && timingSafeEqual(expected!, actual!);
    },
  };
  return tokens;
}
