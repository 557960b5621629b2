import type {
  DeliveryRepository,
  HealthStore,
  WebhookQueue,
  WebhookRepository,
} from '../../../../shared/domains/events/webhooks/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';

export interface WebhookDeps {
  table: Table;
  webhooks: WebhookRepository;
  deliveries: DeliveryRepository;
  health: HealthStore;
  queue: WebhookQueue;
  secrets: SecretBox;
  /** Throws `ADDRESS_BLOCKED` for an invalid target or one that is not allowed. */
  checkTarget: (url: string) => Promise<void>;
  now: () => Date;
}
