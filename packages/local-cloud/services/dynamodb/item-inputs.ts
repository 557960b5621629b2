import { unsupported } from '../../core/aws-error.ts';
import type { CapacityDetail } from './capacity.ts';
import type { ExpressionInput } from './expressions/placeholders.ts';
import type { Item } from './values.ts';

/** Item requests after the check of their shapes. */

export interface ConditionInput extends ExpressionInput {
  TableName: string;
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}
export interface PutInput extends ConditionInput {
  Item: Item;
}
export interface KeyInput extends ConditionInput {
  Key: Item;
}
export interface UpdateInput extends KeyInput {
  UpdateExpression?: string;
}

export type ReturnValues = 'NONE' | 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW';
/** The common members of single writes. */
export interface WriteOptions {
  ReturnValues?: ReturnValues;
  ReturnConsumedCapacity?: CapacityDetail;
  ReturnItemCollectionMetrics?: 'NONE' | 'SIZE';
}

export interface GetInput extends ExpressionInput {
  TableName: string;
  Key: Item;
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ReturnConsumedCapacity?: CapacityDetail;
}

export function rejectCollectionMetrics(input: { ReturnItemCollectionMetrics?: string }): void {
  if (input.ReturnItemCollectionMetrics === 'SIZE') throw unsupported('dynamodb', 'ReturnItemCollectionMetrics SIZE');
}
