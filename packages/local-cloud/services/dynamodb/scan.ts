import type { SQLInputValue } from 'node:sqlite';
import { findIndex } from './catalogue.ts';
import type { Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { bindCondition } from './expressions/condition.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { bindProjection } from './expressions/projection.ts';
import { segmentStart } from './keys.ts';
import {
  checkIndexRead,
  checkSelect,
  type PageInput,
  type Range,
  readPage,
  type Source,
  sourceOf,
  startPosition,
} from './pages.ts';

export interface ScanInput extends PageInput {
  Segment?: number;
  TotalSegments?: number;
}

export function scan(engine: Engine, input: ScanInput): Record<string, unknown> {
  const { FilterExpression: filterText, ProjectionExpression: projectionText } = input;
  checkSelect(input);
  checkSegments(input);
  const placeholders = new Placeholders(input, {
    ProjectionExpression: projectionText,
    FilterExpression: filterText,
  });
  const filter = filterText === undefined ? undefined : bindCondition(filterText, 'FilterExpression', placeholders);
  const projection = projectionText === undefined ? undefined : bindProjection(projectionText, placeholders);
  placeholders.rejectUnused();
  const table = engine.catalogue.table(input.TableName);
  const source = sourceOf(table, input.IndexName === undefined ? undefined : findIndex(table, input.IndexName));
  checkIndexRead(source, input, { filter, projection });
  return readPage(engine, source, rangeOf(source, input), input, { filter, projection });
}

function checkSegments({ Segment: segment, TotalSegments: total }: ScanInput): void {
  if (segment !== undefined && total === undefined) {
    throw invalid(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  if (total === undefined) return;
  if (segment === undefined) {
    throw invalid(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  }
  if (segment >= total) {
    throw invalid(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`,
    );
  }
}

function rangeOf(source: Source, input: ScanInput): Range {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const { Segment: segment, TotalSegments: total } = input;
  if (segment !== undefined && total !== undefined) {
    conditions.push('pk >= ?', 'pk < ?');
    values.push(segmentStart(segment, total), segmentStart(segment + 1, total));
  }
  if (input.ExclusiveStartKey) {
    const start = startPosition(source, input.ExclusiveStartKey);
    if (segment !== undefined && total !== undefined && !inSegment(start[0] as Buffer, segment, total)) {
      throw invalid(
        'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: ' +
          `${total} Segment: ${segment}`,
      );
    }
    conditions.push(`(${source.order.join(', ')}) > (${start.map(() => '?').join(', ')})`);
    values.push(...start);
  }
  return { conditions, values, descending: false };
}

function inSegment(pk: Buffer, segment: number, total: number): boolean {
  return (
    Buffer.compare(pk, segmentStart(segment, total)) >= 0 && Buffer.compare(pk, segmentStart(segment + 1, total)) < 0
  );
}
