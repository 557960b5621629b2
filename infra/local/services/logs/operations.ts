import { AwsError, unsupported } from '../../core/aws-error.ts';
import type { JsonOperations } from '../../core/json-protocol.ts';
import type { CloudContext } from '../../core/service.ts';
import { readFilterPattern } from './filter-pattern.ts';
import { parseToken, type Range, readEvents, token } from './log-reader.ts';
import { type LogGroup, type LogLine, type LogStore, type LogStream, oldestKept } from './log-store.ts';

const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
const MOST_EVENTS = 10_000;
/** Events that one FilterLogEvents call looks at; a page may be empty and still have a next one, as on AWS. */
const SCANNED_PER_PAGE = 10_000;
const HOUR_MS = 60 * 60 * 1000;
const OLDEST_ACCEPTED_MS = 14 * 24 * HOUR_MS;
const NEWEST_ACCEPTED_MS = 2 * HOUR_MS;

interface GroupReference {
  logGroupName?: string;
  /** Name or ARN. */
  logGroupIdentifier?: string;
}

interface TimeRange {
  startTime?: number;
  endTime?: number;
}

/** The operations of CloudWatch Logs that reading a function's output needs. Members outside the lists are refused. */
export function logOperations(context: CloudContext, store: LogStore): JsonOperations {
  const arnOf = (name: string) => `arn:aws:logs:${context.region}:${context.accountId}:log-group:${name}`;

  function group(reference: GroupReference): LogGroup {
    const wanted = reference.logGroupName ?? reference.logGroupIdentifier;
    const name = wanted?.startsWith('arn:') ? wanted.slice(arnOf('').length).replace(/:\*$/, '') : wanted;
    const found = store.groups().find((each) => each.name === name);
    if (!found) throw new AwsError('ResourceNotFoundException', 'The specified log group does not exist.');
    return found;
  }

  function streamId(groupId: number, name: string): number {
    const id = store.findStream(groupId, name);
    if (id === undefined) {
      throw new AwsError('ResourceNotFoundException', 'The specified log stream does not exist.');
    }
    return id;
  }

  function range(owner: LogGroup, { startTime = 0, endTime }: TimeRange, streamIds?: number[]): Range {
    return {
      groupId: owner.id,
      ...(streamIds && { streamIds }),
      from: Math.max(startTime, oldestKept(owner, context.clock.now())),
      to: endTime ?? Number.MAX_SAFE_INTEGER,
    };
  }

  function describeGroup(each: LogGroup) {
    return {
      logGroupName: each.name,
      creationTime: each.createdAt,
      ...(each.retentionDays !== undefined && { retentionInDays: each.retentionDays }),
      metricFilterCount: 0,
      arn: `${arnOf(each.name)}:*`,
      logGroupArn: arnOf(each.name),
      logGroupClass: 'STANDARD',
    };
  }

  const operations: Record<string, { members: string[]; run: JsonOperations[string] }> = {
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
      run: (input: GroupReference) => store.deleteGroup(group(input).id),
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
        store.saveGroup({ ...group(input), retentionDays: input.retentionInDays });
        store.applyRetention();
      },
    },
    DeleteRetentionPolicy: {
      members: ['logGroupName'],
      run(input: GroupReference) {
        const { retentionDays: _removed, ...rest } = group(input);
        store.saveGroup(rest);
      },
    },
    CreateLogStream: {
      members: ['logGroupName', 'logStreamName'],
      run(input: GroupReference & { logStreamName: string }) {
        const owner = group(input);
        if (store.findStream(owner.id, input.logStreamName) !== undefined) {
          throw new AwsError('ResourceAlreadyExistsException', 'The specified log stream already exists');
        }
        store.createStream(owner.id, input.logStreamName);
      },
    },
    DeleteLogStream: {
      members: ['logGroupName', 'logStreamName'],
      run: (input: GroupReference & { logStreamName: string }) =>
        store.deleteStream(streamId(group(input).id, input.logStreamName)),
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
        const owner = group(input);
        const found = orderStreams(store.streams(owner.id), input);
        const described = found.map((each) => ({
          logStreamName: each.name,
          creationTime: each.createdAt,
          arn: `${arnOf(owner.name)}:log-stream:${each.name}`,
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
    PutLogEvents: {
      members: ['logGroupName', 'logStreamName', 'logEvents', 'sequenceToken'],
      run(input: GroupReference & { logStreamName: string; logEvents: LogLine[] }) {
        const owner = group(input);
        const ids = { groupId: owner.id, streamId: streamId(owner.id, input.logStreamName) };
        const { accepted, rejected } = acceptable(input.logEvents, context.clock.now());
        store.put(ids, accepted);
        return { nextSequenceToken: '0', ...(rejected && { rejectedLogEventsInfo: rejected }) };
      },
    },
    GetLogEvents: {
      members: [
        'logGroupName',
        'logGroupIdentifier',
        'logStreamName',
        'startTime',
        'endTime',
        'nextToken',
        'limit',
        'startFromHead',
      ],
      run(
        input: GroupReference &
          TimeRange & { logStreamName: string; nextToken?: string; limit?: number; startFromHead?: boolean },
      ) {
        const owner = group(input);
        const place = input.nextToken === undefined ? undefined : parseToken(input.nextToken);
        const forwards = place ? place.direction === 'f' : (input.startFromHead ?? false);
        const end = { timestamp: Number.MAX_SAFE_INTEGER, id: 0 };
        const events = readEvents(store.database, range(owner, input, [streamId(owner.id, input.logStreamName)]), {
          ...(forwards ? place && { after: place.position } : { before: place?.position ?? end }),
          limit: Math.min(input.limit ?? MOST_EVENTS, MOST_EVENTS),
        });
        const here = place?.position ?? { timestamp: 0, id: 0 };
        return {
          events: events.map(({ timestamp, message, ingestedAt }) => ({
            timestamp,
            message,
            ingestionTime: ingestedAt,
          })),
          nextForwardToken: token('f', events.at(-1) ?? here),
          nextBackwardToken: token('b', events[0] ?? here),
        };
      },
    },
    FilterLogEvents: {
      members: [
        'logGroupName',
        'logGroupIdentifier',
        'logStreamNames',
        'logStreamNamePrefix',
        'startTime',
        'endTime',
        'filterPattern',
        'nextToken',
        'limit',
        'interleaved',
      ],
      run(
        input: GroupReference &
          TimeRange & {
            logStreamNames?: string[];
            logStreamNamePrefix?: string;
            filterPattern?: string;
            nextToken?: string;
            limit?: number;
          },
      ) {
        const owner = group(input);
        const passes = readFilterPattern(input.filterPattern ?? '');
        const limit = Math.min(input.limit ?? MOST_EVENTS, MOST_EVENTS);
        const scanned = readEvents(store.database, range(owner, input, chosenStreams(owner, input)), {
          ...(input.nextToken !== undefined && { after: parseToken(input.nextToken).position }),
          limit: SCANNED_PER_PAGE,
        });
        const events = scanned.filter(({ message }) => passes(message)).slice(0, limit);
        const last =
          events.length === limit ? events.at(-1) : scanned.length === SCANNED_PER_PAGE ? scanned.at(-1) : undefined;
        return {
          events: events.map((each) => ({
            logStreamName: each.streamName,
            timestamp: each.timestamp,
            message: each.message,
            ingestionTime: each.ingestedAt,
            eventId: String(each.id),
          })),
          searchedLogStreams: [],
          ...(last && { nextToken: token('f', last) }),
        };
      },
    },
    TagResource: {
      members: ['resourceArn', 'tags'],
      run({ resourceArn, tags }: { resourceArn: string; tags: Record<string, string> }) {
        const owner = group({ logGroupIdentifier: resourceArn });
        store.saveGroup({ ...owner, tags: { ...owner.tags, ...tags } });
      },
    },
    UntagResource: {
      members: ['resourceArn', 'tagKeys'],
      run({ resourceArn, tagKeys }: { resourceArn: string; tagKeys: string[] }) {
        const owner = group({ logGroupIdentifier: resourceArn });
        const left = Object.entries(owner.tags).filter(([key]) => !tagKeys.includes(key));
        store.saveGroup({ ...owner, tags: Object.fromEntries(left) });
      },
    },
    ListTagsForResource: {
      members: ['resourceArn'],
      run: ({ resourceArn }: { resourceArn: string }) => ({ tags: group({ logGroupIdentifier: resourceArn }).tags }),
    },
  };

  function chosenStreams(
    owner: LogGroup,
    { logStreamNames, logStreamNamePrefix }: { logStreamNames?: string[]; logStreamNamePrefix?: string },
  ): number[] | undefined {
    if (logStreamNames) return logStreamNames.map((name) => streamId(owner.id, name));
    if (logStreamNamePrefix === undefined) return undefined;
    return store.streams(owner.id).flatMap(({ id, name }) => (name.startsWith(logStreamNamePrefix) ? [id] : []));
  }

  return Object.fromEntries(
    Object.entries(operations).map(([name, { members, run }]) => [
      name,
      (input: Record<string, unknown>) => {
        for (const member of Object.keys(input)) {
          if (!members.includes(member)) throw unsupported('logs', `the parameter ${member} of ${name}`);
        }
        store.flush();
        return run(input);
      },
    ]),
  );
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

const LARGEST_PAGE = 50;

function page(member: string, all: object[], { nextToken, limit }: { nextToken?: string; limit?: number }): object {
  const start = nextToken === undefined ? 0 : Number(nextToken);
  const end = start + Math.min(limit ?? LARGEST_PAGE, LARGEST_PAGE);
  return { [member]: all.slice(start, end), ...(end < all.length && { nextToken: String(end) }) };
}

/** Sorts out events that are too old or too new, as PutLogEvents does. Throws when they are not in order. */
function acceptable(events: LogLine[], now: number) {
  if (events.some((event, index) => index > 0 && event.timestamp < (events[index - 1] as LogLine).timestamp)) {
    throw new AwsError(
      'InvalidParameterException',
      'Log events in a single PutLogEvents request must be in chronological order.',
    );
  }
  const tooOld = events.filter(({ timestamp }) => timestamp < now - OLDEST_ACCEPTED_MS).length;
  const tooNew = events.findIndex(({ timestamp }) => timestamp > now + NEWEST_ACCEPTED_MS);
  const rejected = {
    ...(tooOld > 0 && { tooOldLogEventEndIndex: tooOld }),
    ...(tooNew >= 0 && { tooNewLogEventStartIndex: tooNew }),
  };
  return {
    accepted: events.slice(tooOld, tooNew < 0 ? undefined : tooNew),
    rejected: Object.keys(rejected).length > 0 ? rejected : undefined,
  };
}
