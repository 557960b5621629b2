import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';

/**
 * The token of a pipeline's webhook trigger. It is derived, so the URL can be shown again and the table holds no usable
 * token: workspace (16 bytes), version of the master secret (2), HMAC-SHA-256 (32), base64url. A new generation
 * invalidates earlier tokens.
 */
export interface WebhookTokens {
  issue(of: WebhookTokenSubject): Promise<string>;
  /** Whether the token was issued for exactly this. */
  verify(token: string, of: WebhookTokenSubject): Promise<boolean>;
}

export interface WebhookTokenSubject {
  workspaceId: string;
  pipelineId: string;
  generation: number;
}

const WORKSPACE_BYTES = 16;
const VERSION_BYTES = 2;
const TOKEN_BYTES = WORKSPACE_BYTES + VERSION_BYTES + 32;

export function webhookTokens(master: MasterSecret): WebhookTokens {
  async function mac({ workspaceId, pipelineId, generation }: WebhookTokenSubject, version?: number) {
    const derived = await master.derive('pipeline-webhook', version);
    const digest = createHmac('sha256', derived.key).update(`${workspaceId}.${pipelineId}.${generation}`).digest();
    return { version: derived.version, digest };
  }

  return {
    async issue(of) {
      const { version, digest } = await mac(of);
      const head = Buffer.alloc(WORKSPACE_BYTES + VERSION_BYTES);
      head.write(of.workspaceId.replaceAll('-', ''), 'hex');
      head.writeUInt16BE(version, WORKSPACE_BYTES);
      return Buffer.concat([head, digest]).toString('base64url');
    },

    async verify(token, of) {
      const bytes = Buffer.from(token, 'base64url');
      if (workspaceOf(token) !== of.workspaceId) return false;
      const { version } = await mac(of);
      const named = bytes.readUInt16BE(WORKSPACE_BYTES);
      // A version that never existed cannot have signed anything.
      if (named < 1 || named > version) return false;
      const { digest } = await mac(of, named);
      return timingSafeEqual(digest, bytes.subarray(WORKSPACE_BYTES + VERSION_BYTES));
    },
  };
}

/** The workspace that a token names, without verifying it; undefined for a malformed token. */
export function workspaceOf(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
  const hex = bytes.subarray(0, WORKSPACE_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
