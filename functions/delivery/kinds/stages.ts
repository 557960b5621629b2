import type { Logger } from '@aws-lambda-powertools/logger';
import type { Delivery, DeliveryDeps, StoredMail } from '../../../shared/domains/delivery/deliveries/index.ts';
import type { BlendDeps } from '../../../shared/domains/semantics/blends/index.ts';
import type { Mail } from '../../../shared/platform/mail/compose.ts';
import type { ObjectStore } from '../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

/** What the content of deliveries is read with. */
export interface ReadingClients {
  table: Table;
  objects: ObjectStore;
  questions: BlendDeps;
  log: Pick<Logger, 'error'>;
}

/** The first stage of a delivery: a run reads what it sends, and writes a mail for each recipient. */
export type Opener<D extends Delivery, Stored extends StoredMail> = (
  clients: ReadingClients,
) => Pick<DeliveryDeps<D, Stored>, 'open' | 'failed'>;

type Written<Stored extends StoredMail> = Stored & { content: NonNullable<Stored['content']> };

/** The second stage: the email to a person, from what the run has written. */
export type Composer<Stored extends StoredMail> = (clients: { objects: Pick<ObjectStore, 'read'> }) => {
  compose(mail: Written<Stored>, links: { apiUrl: string; unsubscribe: string }): Promise<Mail> | Mail;
};
