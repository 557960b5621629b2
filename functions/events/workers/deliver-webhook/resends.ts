import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryMessage, Lane, WebhookLanes } from '../../../../shared/domains/events/webhooks/index.ts';

/** Deliveries of one batch that find no permit do so within moments of each other. */
const GATHER_MS = 5;

interface Due {
  message: DeliveryMessage;
  delaySeconds: number;
}

/** Sends messages for later checks; those of one moment share a request. */
export class Resends {
  readonly #lanes: WebhookLanes;
  readonly #gathered = new Map<Lane, { due: Due[]; sent: Promise<void> }>();

  constructor(lanes: WebhookLanes) {
    this.#lanes = lanes;
  }

  /** Resolves when the message is in the queue. */
  send(lane: Lane, due: Due): Promise<void> {
    let gathered = this.#gathered.get(lane);
    if (!gathered) {
      const list: Due[] = [];
      const sent = sleep(GATHER_MS).then(() => {
        this.#gathered.delete(lane);
        return this.#lanes[lane].send(list);
      });
      gathered = { due: list, sent };
      this.#gathered.set(lane, gathered);
    }
    gathered.due.push(due);
    return gathered.sent;
  }
}
