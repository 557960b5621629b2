import { AwsError, unsupported } from '../../core/aws-error.ts';
import { type Operation, rejectUnknownMembers } from '../../core/operations.ts';
import type { CloudContext } from '../../core/service.ts';
import type { Bus } from './bus.ts';
import { checkBus } from './default-bus.ts';
import { type EventDocument, eventDocument } from './event.ts';

const MAX_ENTRIES = 10;
const LIMIT_BYTES = 1_048_576;
const TIME_BYTES = 14;

interface Entry {
  /** Epoch seconds. */
  Time?: number;
  Source?: string;
  Resources?: string[];
  DetailType?: string;
  Detail?: string;
  EventBusName?: string;
}

export function putEvents(context: CloudContext, bus: Bus): Operation {
  return {
    members: ['Entries'],
    run({ Entries = [] }: { Entries?: Entry[] }) {
      if (Entries.length < 1 || Entries.length > MAX_ENTRIES) {
        throw new AwsError(
          'ValidationException',
          `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${MAX_ENTRIES}`,
        );
      }
      if (Entries.reduce((sum, entry) => sum + entryBytes(entry), 0) > LIMIT_BYTES) {
        throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
      }
      const accepted: EventDocument[] = [];
      const results = Entries.map((entry) => {
        rejectUnknownMembers('events', 'PutEvents.Entries', entry, [
          'Time',
          'Source',
          'Resources',
          'DetailType',
          'Detail',
          'EventBusName',
        ]);
        checkBus(context, entry.EventBusName);
        const rejection = rejectionOf(entry);
        if (rejection) return rejection;
        const event = eventDocument(context, {
          source: entry.Source as string,
          detailType: entry.DetailType as string,
          detail: JSON.parse(entry.Detail as string),
          ...(entry.Resources && { resources: entry.Resources }),
          ...(entry.Time !== undefined && { time: new Date(entry.Time * 1000) }),
        });
        accepted.push(event);
        return { EventId: event.id };
      });
      bus.accept(accepted);
      return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    },
  };
}

/** TestEventPattern: whether a whole event document matches a pattern. */
export function readWholeEvent(text: string): object {
  const event: unknown = parse(text);
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new AwsError('ValidationException', 'Parameter Event is not valid.');
  }
  for (const field of ['id', 'account', 'source', 'time', 'region', 'detail-type']) {
    if (!Object.hasOwn(event, field)) throw unsupported('events', `an Event without the field ${field}`);
  }
  return event;
}

function rejectionOf({ Source, DetailType, Detail }: Entry): { ErrorCode: string; ErrorMessage: string } | undefined {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (!value) {
      const ErrorMessage = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
      return { ErrorCode: 'InvalidArgument', ErrorMessage };
    }
  }
  if (Source?.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = parse(Detail as string);
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) {
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  }
  return undefined;
}

function entryBytes({ Time, Source, DetailType, Detail, Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...(Resources ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), Time === undefined ? 0 : TIME_BYTES);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
