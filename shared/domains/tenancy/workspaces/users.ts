import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '../../../platform/storage/keys.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { isSameAddress } from '../../../platform/text/email-address.ts';
import { emailKey, userRecordKey } from './keys.ts';
import type { UserRecord } from './records.ts';

export async function readUser(table: Table, id: string): Promise<UserRecord | undefined> {
  const item = await read(table, userRecordKey(id));
  return item && toRecord<UserRecord>(item);
}

/** An unknown email takes as many reads as a known one. */
export async function readUserByEmail(table: Table, email: string): Promise<UserRecord | undefined> {
  const sentinel = await read(table, emailKey(email));
  const user = await readUser(table, (sentinel?.owner as string | undefined) ?? 'none');
  return user && isSameAddress(user.email, email) ? user : undefined;
}

const read = async (table: Table, Key: Key) =>
  (await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }))).Item;
