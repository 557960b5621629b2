import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { Operation } from '../../core/operations.ts';
import { pageOf } from '../../core/paging.ts';
import type { CloudContext } from '../../core/service.ts';
import { type Addresses, checkQueueName } from './addresses.ts';
import type { Arrivals } from './arrivals.ts';
import { checkRange, invalidAttributeValue, invalidValue, missingParameter, unknownAttribute } from './errors.ts';
import type { Messages } from './messages.ts';
import {
  allowsSource,
  checkRedriveAllowPolicy,
  checkRedrivePolicy,
  defaultAttributes,
  READ_ONLY_ATTRIBUTES,
  readAttributes,
  redrivePolicy,
} from './queue-attributes.ts';
import type { Queue, Queues } from './queues.ts';
import type { Receiving } from './receiving.ts';

const ONCE_A_MINUTE_MS = 60_000;
const MAX_LISTED = 1000;
const MAX_TAGS = 50;

interface Deps {
  context: CloudContext;
  addresses: Addresses;
  queues: Queues;
  messages: Messages;
  receiving: Receiving;
  arrivals: Arrivals;
}

interface ListInput {
  NextToken?: string;
  MaxResults?: number;
}

/** Operations on queues themselves. */
export class QueueOperations {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  table(): Record<string, Operation> {
    const byUrl = { resource: ({ QueueUrl }: { QueueUrl: string }) => this.#named(QueueUrl).name };
    const byName = { resource: ({ QueueName }: { QueueName: string }) => QueueName };
    return {
      CreateQueue: {
        members: ['QueueName', 'Attributes', 'tags'],
        ...byName,
        run: (input) => this.#create(input),
      },
      GetQueueUrl: {
        members: ['QueueName', 'QueueOwnerAWSAccountId'],
        ...byName,
        run: (input) => this.#url(input),
      },
      ListQueues: {
        members: ['QueueNamePrefix', 'NextToken', 'MaxResults'],
        run: ({ QueueNamePrefix = '', ...page }: ListInput & { QueueNamePrefix?: string }) => {
          const queues = this.#deps.queues.all().filter(({ name }) => name.startsWith(QueueNamePrefix));
          return this.#page('QueueUrls', queues, page);
        },
      },
      ListDeadLetterSourceQueues: {
        members: ['QueueUrl', 'NextToken', 'MaxResults'],
        ...byUrl,
        run: ({ QueueUrl, ...page }: ListInput & { QueueUrl: string }) => {
          const arn = this.#deps.addresses.arn(this.#named(QueueUrl).name);
          const feeds = (queue: Queue) => redrivePolicy(queue.attributes)?.deadLetterTargetArn === arn;
          return this.#page('queueUrls', this.#deps.queues.all().filter(feeds), page);
        },
      },
      DeleteQueue: {
        members: ['QueueUrl'],
        ...byUrl,
        run: ({ QueueUrl }) => {
          const queue = this.#named(QueueUrl);
          this.#deps.queues.delete(queue, this.#deps.context.clock.now());
          this.#deps.arrivals.ring(queue.id);
        },
      },
      PurgeQueue: { members: ['QueueUrl'], ...byUrl, run: ({ QueueUrl }) => this.#purge(this.#named(QueueUrl)) },
      GetQueueAttributes: {
        members: ['QueueUrl', 'AttributeNames'],
        ...byUrl,
        run: ({ QueueUrl, AttributeNames = [] }) => this.#select(this.#named(QueueUrl), AttributeNames),
      },
      SetQueueAttributes: {
        members: ['QueueUrl', 'Attributes'],
        ...byUrl,
        run: ({ QueueUrl, Attributes }) => this.#change(this.#named(QueueUrl), Attributes),
      },
      ListQueueTags: {
        members: ['QueueUrl'],
        ...byUrl,
        run: ({ QueueUrl }) => {
          const { tags } = this.#named(QueueUrl);
          return Object.keys(tags).length === 0 ? {} : { Tags: tags };
        },
      },
      TagQueue: {
        members: ['QueueUrl', 'Tags'],
        ...byUrl,
        run: ({ QueueUrl, Tags }) => this.#tag(this.#named(QueueUrl), Tags),
      },
      UntagQueue: {
        members: ['QueueUrl', 'TagKeys'],
        ...byUrl,
        run: ({ QueueUrl, TagKeys }: { QueueUrl: string; TagKeys: string[] }) => {
          const queue = this.#named(QueueUrl);
          queue.tags = Object.fromEntries(Object.entries(queue.tags).filter(([key]) => !TagKeys.includes(key)));
          this.#deps.queues.save(queue);
        },
      },
    };
  }

  /** Every attribute of a queue, the counts included. */
  attributes(queue: Queue): Record<string, string> {
    this.#deps.receiving.expire(queue);
    const counts = this.#deps.messages.counts(queue.id, this.#deps.context.clock.now());
    return {
      ...queue.attributes,
      QueueArn: this.#deps.addresses.arn(queue.name),
      ApproximateNumberOfMessages: String(counts.visible),
      ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
      ApproximateNumberOfMessagesDelayed: String(counts.delayed),
      CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
      LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
    };
  }

  #named(queueUrl: string | undefined): Queue {
    if (!queueUrl) throw missingParameter('QueueUrl');
    return this.#deps.queues.get(this.#deps.addresses.nameInUrl(queueUrl));
  }

  #create(input: { QueueName: string; Attributes?: Record<string, unknown>; tags?: Record<string, string> }) {
    const { queues, addresses, context } = this.#deps;
    const { QueueName: name, tags = {} } = input;
    if (!name) throw missingParameter('QueueName');
    checkQueueName(name);
    const fifo = name.endsWith('.fifo');
    const given = readAttributes(input.Attributes ?? {}, fifo);
    if (fifo && given.FifoQueue !== 'true') {
      throw invalidValue(
        'QueueName',
        name,
        'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
      );
    }
    const existing = queues.find(name);
    if (existing) {
      checkSame(existing, given);
      return { QueueUrl: addresses.url(name) };
    }
    this.#checkPolicies(name, given);
    this.#checkNotJustDeleted(name);
    checkTags(tags);
    queues.create(name, withoutEmpty({ ...defaultAttributes(fifo), ...given }), tags, context.clock.now());
    return { QueueUrl: addresses.url(name) };
  }

  #url({ QueueName, QueueOwnerAWSAccountId }: { QueueName: string; QueueOwnerAWSAccountId?: string }) {
    const { queues, addresses, context } = this.#deps;
    if (QueueOwnerAWSAccountId !== undefined && QueueOwnerAWSAccountId !== context.accountId) {
      throw unsupported('sqs', 'queues of other accounts');
    }
    return { QueueUrl: addresses.url(queues.get(QueueName).name) };
  }

  #page(key: 'QueueUrls' | 'queueUrls', queues: Queue[], { MaxResults, NextToken }: ListInput) {
    checkRange('MaxResults', MaxResults, 1, MAX_LISTED, `Must be between 1 and ${MAX_LISTED}, if provided.`);
    const { items, next } = pageOf(queues, ({ name }) => name, { size: MaxResults ?? MAX_LISTED, token: NextToken });
    return {
      ...(items.length > 0 && { [key]: items.map(({ name }) => this.#deps.addresses.url(name)) }),
      // Without a requested size, SQS truncates the list silently.
      ...(MaxResults !== undefined && next),
    };
  }

  #purge(queue: Queue): void {
    const now = this.#deps.context.clock.now();
    if (queue.purgedAt !== undefined && now - queue.purgedAt < ONCE_A_MINUTE_MS) {
      throw new AwsError(
        'PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`,
        { status: 403 },
      );
    }
    queue.purgedAt = now;
    this.#deps.messages.purge(queue.id);
    this.#deps.queues.save(queue);
  }

  #select(queue: Queue, wanted: string[]) {
    const attributes = this.attributes(queue);
    const known = [...Object.keys(attributes), 'Policy', 'RedrivePolicy', 'RedriveAllowPolicy', 'All'];
    const stranger = wanted.find((name) => !known.includes(name));
    if (stranger !== undefined) throw unknownAttribute(stranger);
    const selected = Object.entries(attributes).filter(([name]) => wanted.includes('All') || wanted.includes(name));
    return selected.length === 0 ? {} : { Attributes: Object.fromEntries(selected) };
  }

  #change(queue: Queue, given: Record<string, unknown> | undefined): void {
    if (!given) throw missingParameter('Attributes');
    const readOnly = Object.keys(given).find((name) => READ_ONLY_ATTRIBUTES.includes(name));
    if (readOnly !== undefined) throw unknownAttribute(readOnly);
    const changes = readAttributes(given, queue.fifo);
    if (changes.FifoQueue === 'false') {
      throw invalidAttributeValue('FifoQueue', 'Modifying queue type is not supported.');
    }
    this.#checkPolicies(queue.name, changes);
    queue.attributes = withoutEmpty({ ...queue.attributes, ...changes });
    queue.modifiedAt = this.#deps.context.clock.now();
    this.#deps.queues.save(queue);
    this.#deps.arrivals.ring(queue.id);
  }

  #tag(queue: Queue, tags: Record<string, string> | undefined): void {
    if (!tags) throw missingParameter('Tags');
    checkTags({ ...queue.tags, ...tags });
    queue.tags = { ...queue.tags, ...tags };
    this.#deps.queues.save(queue);
  }

  #checkPolicies(queueName: string, attributes: Record<string, string>): void {
    if (attributes.RedriveAllowPolicy) checkRedriveAllowPolicy(attributes.RedriveAllowPolicy);
    if (!attributes.RedrivePolicy) return;
    const { addresses, queues } = this.#deps;
    const wrong = (reason: string) => invalidValue('RedrivePolicy', attributes.RedrivePolicy, reason);
    const { deadLetterTargetArn } = checkRedrivePolicy(attributes.RedrivePolicy);
    const target = queues.find(addresses.nameInArn(deadLetterTargetArn) ?? '');
    if (!target) throw wrong('Dead letter target does not exist.');
    if (target.fifo !== queueName.endsWith('.fifo')) {
      throw wrong('Dead-letter queue must be same type of queue as the source.');
    }
    if (!allowsSource(target.attributes, addresses.arn(queueName))) {
      throw wrong('Dead-letter queue does not allow this queue as a source (RedriveAllowPolicy).');
    }
  }

  #checkNotJustDeleted(name: string): void {
    const deletedAt = this.#deps.queues.deletedAt(name);
    if (deletedAt === undefined || this.#deps.context.clock.now() - deletedAt >= ONCE_A_MINUTE_MS) return;
    throw new AwsError(
      'QueueDeletedRecently',
      'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
    );
  }
}

function checkSame(queue: Queue, given: Record<string, string>): void {
  for (const [name, value] of Object.entries(given)) {
    if ((queue.attributes[name] ?? '') === value) continue;
    throw new AwsError(
      'QueueNameExists',
      `A queue already exists with the same name and a different value for attribute ${name}`,
    );
  }
}

function checkTags(tags: Record<string, string>): void {
  if (Object.keys(tags).length > MAX_TAGS) {
    throw new AwsError('InvalidParameterValueException', `Too many tags added for queue: at most ${MAX_TAGS}.`);
  }
}

/** An empty document removes the attribute. */
function withoutEmpty(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}
