import { randomBytes } from 'node:crypto';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { PermitKind } from './permit-rules.ts';
import { type PermitOptions, type Share, WorkspacePermits } from './workspace-permits.ts';

/** The right to one request in progress; belongs to the sender that took it. */
export interface Permit {
  readonly workspaceId: string;
  readonly share: Share;
}

/**
 * Limits the requests in progress of a webhook and of a workspace. One item per workspace stores the counters and the
 * leases of each sender, so that leases of a crashed sender can be subtracted again. A sender keeps a lease for some
 * seconds unless others may need it, and hands it from one delivery to the next. Steady traffic therefore costs no
 * write per delivery.
 */
export class Permits {
  readonly #table: Table;
  readonly #options: PermitOptions;
  readonly #sender = randomBytes(6).toString('base64url');
  readonly #workspaces = new Map<string, WorkspacePermits>();

  constructor(table: Table, options: PermitOptions) {
    this.#table = table;
    this.#options = options;
  }

  /** Takes a permit; undefined when none is free. */
  async take(workspaceId: string, webhook: { id: string; kind: PermitKind }): Promise<Permit | undefined> {
    const share = await this.#of(workspaceId).take(webhook);
    return share && { workspaceId, share };
  }

  /** Returns a permit. With `works` the next delivery of the webhook may reuse it. */
  giveBack({ workspaceId, share }: Permit, { works }: { works: boolean }): void {
    this.#of(workspaceId).giveBack(share, works);
  }

  /**
   * Marks the webhook as doubtful because its request seems to hang. The permit then no longer counts among those of
   * proven webhooks.
   */
  markDoubtful({ workspaceId, share }: Permit): void {
    this.#of(workspaceId).markDoubtful(share);
  }

  /** Resolves when every returned permit is stored: a frozen function writes nothing. */
  async settled(): Promise<void> {
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace.settled()));
    for (const [id, workspace] of this.#workspaces) if (workspace.isEmpty()) this.#workspaces.delete(id);
  }

  #of(workspaceId: string): WorkspacePermits {
    let workspace = this.#workspaces.get(workspaceId);
    if (!workspace) {
      workspace = new WorkspacePermits(this.#table, { ...this.#options, workspaceId, sender: this.#sender });
      this.#workspaces.set(workspaceId, workspace);
    }
    return workspace;
  }
}
