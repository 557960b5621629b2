import { AwsError } from '../../core/aws-error.ts';
import type { CloudContext } from '../../core/service.ts';
import { invalidValue, queueDoesNotExist } from './errors.ts';

const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$|^[A-Za-z0-9_-]{1,75}\.fifo$/;

/** Throws `InvalidParameterValue` for an invalid queue name. */
export function checkQueueName(name: string): void {
  if (QUEUE_NAME.test(name)) return;
  throw invalidValue(
    'QueueName',
    name,
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  );
}

/** Queue URLs and ARNs. Only the path of a URL is read, so it stays valid after a restart on another port. */
export class Addresses {
  readonly #context: Pick<CloudContext, 'region' | 'accountId' | 'endpoint'>;

  constructor(context: Pick<CloudContext, 'region' | 'accountId' | 'endpoint'>) {
    this.#context = context;
  }

  url(queueName: string): string {
    return `${this.#context.endpoint()}/${this.#context.accountId}/${queueName}`;
  }

  arn(queueName: string): string {
    return `arn:aws:sqs:${this.#context.region}:${this.#context.accountId}:${queueName}`;
  }

  /** Throws `InvalidAddress` for a URL that is not a queue's, and `QueueDoesNotExist` for another account's. */
  nameInUrl(url: string): string {
    const [, accountId, name, ...more] = URL.canParse(url) ? new URL(url).pathname.split('/') : [];
    if (accountId === undefined || name === undefined || more.length > 0) {
      throw new AwsError('InvalidAddress', `The address ${url} is not valid for this endpoint.`, { status: 404 });
    }
    if (accountId !== this.#context.accountId) throw queueDoesNotExist();
    return decodeURIComponent(name);
  }

  /** The name in an ARN of this account and region; undefined for any other. */
  nameInArn(arn: string): string | undefined {
    const prefix = this.arn('');
    return arn.startsWith(prefix) ? arn.slice(prefix.length) : undefined;
  }
}
