import type { SecretBox } from '../../../shared/crypto/secret-box.ts';
import type { Table } from '../../../shared/storage/table.ts';
import type { DeliveryRepository } from '../../../shared/webhooks/deliveries.ts';
import type { HealthStore } from '../../../shared/webhooks/health-store.ts';
import type { WebhookQueue } from '../../../shared/webhooks/queue.ts';
import type { WebhookRepository } from '../../../shared/webhooks/repository.ts';

export interface WebhookDeps {
  table: Table;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  health: HealthStore;
  queue: WebhookQueue;
  secrets: SecretBox;
  /** Throws `ADDRESS_BLOCKED` for a target that may not be reached, or none at all. */
  checkTarget: (url: string) => Promise<void>;
  now: () => Date;
}
