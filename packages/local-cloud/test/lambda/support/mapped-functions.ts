import {
  CreateEventSourceMappingCommand,
  type CreateEventSourceMappingCommandInput,
  type EventSourceMappingConfiguration,
} from '@aws-sdk/client-lambda';
import type { TestCloud } from './cloud.ts';
import { eventually } from './eventually.ts';

/** A function that logs its batches as JSON lines, then runs `body` with `records`. */
export const recorder = (body = '', key = 'record.body') => `
  export const handler = async ({ Records: records }) => {
    console.log('BATCH ' + JSON.stringify(records.map((record) => ${key})));
    ${body}
  };`;

export const STREAM_KEY = 'record.dynamodb.NewImage.pk.S';

/** Creates an event source mapping for a function. */
export const map = (
  { client }: TestCloud,
  input: CreateEventSourceMappingCommandInput,
): Promise<EventSourceMappingConfiguration> => client.send(new CreateEventSourceMappingCommand(input));

/** The batches logged by a function so far. */
export function batches({ logged }: TestCloud, name: string): unknown[][] {
  const lines = logged.get(`/aws/lambda/${name}`) ?? [];
  return lines.flatMap((line) => (line.includes('BATCH ') ? [JSON.parse(line.slice(line.indexOf('BATCH ') + 6))] : []));
}

export async function untilBatches(cloud: TestCloud, name: string, count: number): Promise<unknown[][]> {
  await eventually(() => batches(cloud, name).length).toBeGreaterThanOrEqual(count);
  return batches(cloud, name);
}
