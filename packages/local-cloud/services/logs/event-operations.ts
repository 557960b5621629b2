import { AwsError } from '../../core/aws-error.ts';
import type { Clock } from '../../core/clock.ts';
import { readFilterPattern } from './filter-pattern.ts';
import { parseToken, type Range, readEvents, token } from './log-reader.ts';
import { type LogGroup, type LogLine, type LogStore, oldestKept } from './log-store.ts';
import type { GroupReference, LogOperation, LogResources } from './resources.ts';

const MAX_EVENTS = 10_000;
/** Events scanned by one FilterLogEvents call; a page may be empty and still have a successor, as on AWS. */
const SCANNED_PER_PAGE = 10_000;
const HOUR_MS = 60 * 60 * 1000;
const OLDEST_ACCEPTED_MS = 14 * 24 * HOUR_MS;
const NEWEST_ACCEPTED_MS = 2 * HOUR_MS;

interface TimeRange {
  startTime?: number;
  endTime?: number;
}

/** Writing, reading and finding log events. */
export function eventOperations(clock: Clock, resources: LogResources, store: LogStore): Record<string, LogOperation> {
  function range(owner: LogGroup, { startTime = 0, endTime }: TimeRange, streamIds?: number[]): Range {
    return {
      groupId: owner.id,
      ...(streamIds && { streamIds }),
      from: Math.max(startTime, oldestKept(owner, clock.now())),
      to: endTime ?? Number.MAX_SAFE_INTEGER,
    };
  }

  function chosenStreams(
    owner: LogGroup,
    { logStreamNames, logStreamNamePrefix }: { logStreamNames?: string[]; logStreamNamePrefix?: string },
  ): number[] | undefined {
    if (logStreamNames) return logStreamNames.map((name) => resources.streamId(owner.id, name));
    if (logStreamNamePrefix === undefined) return undefined;
    return store.streams(owner.id).flatMap(({ id, name }) => (name.startsWith(logStreamNamePrefix) ? [id] : []));
  }

  return {
    PutLogEvents: {
      members: ['logGroupName', 'logStreamName', 'logEvents', 'sequenceToken'],
      structures: { 'logEvents[]': ['timestamp', 'message'] },
      run(input: GroupReference & { logStreamName: string; logEvents: LogLine[] }) {
        const owner = resources.group(input);
        const ids = { groupId: owner.id, streamId: resources.streamId(owner.id, input.logStreamName) };
        const { accepted, rejected } = acceptable(input.logEvents, clock.now());
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
        const owner = resources.group(input);
        const place = input.nextToken === undefined ? undefined : parseToken(input.nextToken);
        const forwards = place ? place.direction === 'f' : (input.startFromHead ?? false);
        const end = { timestamp: Number.MAX_SAFE_INTEGER, id: 0 };
        const events = readEvents(
          store.database,
          range(owner, input, [resources.streamId(owner.id, input.logStreamName)]),
          {
            ...(forwards ? place && { after: place.position } : { before: place?.position ?? end }),
            limit: Math.min(input.limit ?? MAX_EVENTS, MAX_EVENTS),
          },
        );
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
        const owner = resources.group(input);
        const passes = readFilterPattern(input.filterPattern ?? '');
        const limit = Math.min(input.limit ?? MAX_EVENTS, MAX_EVENTS);
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
  };
}

/** Drops events that are too old or too new, as PutLogEvents does. Throws if they are not in order. */
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
