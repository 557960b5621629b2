import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { LogGroup, LogStore, LogStream } from './log-store.ts';
import type { GroupReference, LogOperation, LogResources } from './resources.ts';

const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** Operations on log groups and streams: creation, description, tags, retention, deletion. */
export function groupOperations(resources: LogResources, store: LogStore): Record<string, LogOperation> {
  function describeGroup(each: LogGroup) {
    return {
      logGroupName: each.name,
      creationTime: each.createdAt,
      ...(each.retentionDays !== undefined && { retentionInDays: each.retentionDays }),
      metricFilterCount: 0,
      arn: `${resources.arnOf(each.name)}:*`,
      logGroupArn: resources.arnOf(each.name),
      logGroupClass: 'STANDARD',
    };
  }

  return {
    CreateLogGroup: {
      members: ['logGroupName', 'tags', 'logGroupClass'],
      run(input: { logGroupName: string; tags?: Record<string, string>; logGroupClass?: string }) {
        if (!/^[.\-_/#A-Za-z0-9]{1,512}$/.test(input.logGroupName ?? '')) {
          throw new AwsError('InvalidParameterException', `The log group name ${input.logGroupName} is not valid.`);
        }
        if ((input.logGroupClass ?? 'STANDARD') !== 'STANDARD') {
          throw unsupported('logs', `the log group class ${input.logGroupClass}`);
        }
        if (store.groups().some((each) => each.name === input.logGroupName)) {
          throw new AwsError('ResourceAlreadyExistsException', 'The specified log group already exists');
        }
        store.createGroup(input.logGroupName, input.tags ?? {});
      },
    },
    DeleteLogGroup: {
      members: ['logGroupName'],
      run: (input: GroupReference) => store.deleteGroup(resources.group(input).id),
    },
    DescribeLogGroups: {
      members: ['logGroupNamePrefix', 'logGroupNamePattern', 'nextToken', 'limit'],
      run(input: { logGroupNamePrefix?: string; logGroupNamePattern?: string; nextToken?: string; limit?: number }) {
        const found = store
          .groups()
          .filter(({ name }) => name.startsWith(input.logGroupNamePrefix ?? ''))
          .filter(({ name }) => name.toLowerCase().includes((input.logGroupNamePattern ?? '').toLowerCase()));
        return page('logGroups', found.map(describeGroup), input);
      },
    },
    PutRetentionPolicy: {
      members: ['logGroupName', 'retentionInDays'],
      run(input: GroupReference & { retentionInDays: number }) {
        if (!RETENTION_DAYS.includes(input.retentionInDays)) {
          throw new AwsError(
            'InvalidParameterException',
            `1 validation error detected: Value '${input.retentionInDays}' at 'retentionInDays' failed to satisfy constraint: Member must satisfy enum value set: [${RETENTION_DAYS.join(', ')}]`,
          );
        }
        store.saveGroup({ ...resources.group(input), retentionDays: input.retentionInDays });
        store.applyRetention();
      },
    },
    DeleteRetentionPolicy: {
      members: ['logGroupName'],
      run(input: GroupReference) {
        const { retentionDays: _removed, ...rest } = resources.group(input);
        store.saveGroup(rest);
      },
    },
    CreateLogStream: {
      members: ['logGroupName', 'logStreamName'],
      run(input: GroupReference & { logStreamName: string }) {
        const owner = resources.group(input);
        if (store.findStream(owner.id, input.logStreamName) !== undefined) {
          throw new AwsError('ResourceAlreadyExistsException', 'The specified log stream already exists');
        }
        store.createStream(owner.id, input.logStreamName);
      },
    },
    DeleteLogStream: {
      members: ['logGroupName', 'logStreamName'],
      run: (input: GroupReference & { logStreamName: string }) =>
        store.deleteStream(resources.streamId(resources.group(input).id, input.logStreamName)),
    },
    DescribeLogStreams: {
      members: [
        'logGroupName',
        'logGroupIdentifier',
        'logStreamNamePrefix',
        'orderBy',
        'descending',
        'nextToken',
        'limit',
      ],
      run(input: GroupReference & StreamListing) {
        const owner = resources.group(input);
        const found = orderStreams(store.streams(owner.id), input);
        const described = found.map((each) => ({
          logStreamName: each.name,
          creationTime: each.createdAt,
          arn: `${resources.arnOf(owner.name)}:log-stream:${each.name}`,
          storedBytes: 0,
          ...(each.lastEventAt !== undefined && {
            firstEventTimestamp: each.firstEventAt,
            lastEventTimestamp: each.lastEventAt,
            lastIngestionTime: each.lastIngestedAt,
          }),
        }));
        return page('logStreams', described, input);
      },
    },
    TagResource: {
      members: ['resourceArn', 'tags'],
      run({ resourceArn, tags }: { resourceArn: string; tags: Record<string, string> }) {
        const owner = resources.group({ logGroupIdentifier: resourceArn });
        store.saveGroup({ ...owner, tags: { ...owner.tags, ...tags } });
      },
    },
    UntagResource: {
      members: ['resourceArn', 'tagKeys'],
      run({ resourceArn, tagKeys }: { resourceArn: string; tagKeys: string[] }) {
        const owner = resources.group({ logGroupIdentifier: resourceArn });
        const left = Object.entries(owner.tags).filter(([key]) => !tagKeys.includes(key));
        store.saveGroup({ ...owner, tags: Object.fromEntries(left) });
      },
    },
    ListTagsForResource: {
      members: ['resourceArn'],
      run: ({ resourceArn }: { resourceArn: string }) => ({
        tags: resources.group({ logGroupIdentifier: resourceArn }).tags,
      }),
    },
  };
}

interface StreamListing {
  logStreamNamePrefix?: string;
  orderBy?: 'LogStreamName' | 'LastEventTime';
  descending?: boolean;
  nextToken?: string;
  limit?: number;
}

function orderStreams(streams: LogStream[], listing: StreamListing): LogStream[] {
  const found = streams.filter(({ name }) => name.startsWith(listing.logStreamNamePrefix ?? ''));
  if (listing.orderBy === 'LastEventTime') found.sort((a, b) => (a.lastEventAt ?? 0) - (b.lastEventAt ?? 0));
  return listing.descending ? found.reverse() : found;
}

const MAX_PAGE_SIZE = 50;

function page(member: string, all: object[], { nextToken, limit }: { nextToken?: string; limit?: number }): object {
  const start = nextToken === undefined ? 0 : Number(nextToken);
  const end = start + Math.min(limit ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  return { [member]: all.slice(start, end), ...(end < all.length && { nextToken: String(end) }) };
}
