import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { auditItems } from '../../../platform/audit/entry.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import type { ThemeRecord } from './records.ts';

/** Names the default theme of a workspace, so that there is never more than one. */
const defaultKey = (workspaceId: string): Key => workspaceKey(workspaceId, 'THEME-DEFAULT', 'THEME-DEFAULT');

export interface ThemeRepository extends Pick<Collection<ThemeRecord>, 'get' | 'list' | 'create' | 'replace'> {
  /** The id of the default theme. */
  readDefault(workspaceId: string): Promise<string | undefined>;
  /** Throws `THEME_NOT_FOUND`. */
  setDefault(theme: ThemeRecord): Promise<void>;
  /** `last` are the last items of the transaction. Throws `THEME_IS_DEFAULT`, or `STALE_WRITE`. */
  remove(theme: ThemeRecord, last: TransactItem[]): Promise<void>;
}

export function themeRepository(table: Table): ThemeRepository {
  const themes = collection<ThemeRecord>(table, {
    entity: 'theme',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'THEME_NAME_TAKEN' },
    logs: auditedRecords<ThemeRecord>(table, {
      subject: 'theme',
      name: ({ name }) => name,
      members: { name: 'shown', tokens: 'shown' },
    }),
  });

  async function readDefault(workspaceId: string): Promise<string | undefined> {
    const Key = defaultKey(workspaceId);
    const found = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
    return found.Item?.themeId as string | undefined;
  }

  return {
    get: themes.get,
    list: themes.list,
    create: themes.create,
    replace: themes.replace,
    readDefault,

    async setDefault({ workspaceId, id, name }) {
      const logged = await auditItems(table, { action: 'theme.default_set', object: { type: 'theme', id, name } });
      try {
        await transact(table, [
          {
            ConditionCheck: {
              TableName: table.name,
              Key: themes.key(workspaceId, id),
              ConditionExpression: 'attribute_exists(pk)',
            },
          },
          {
            Put: {
              TableName: table.name,
              Item: { ...defaultKey(workspaceId), entity: 'default-theme', themeId: id },
            },
          },
          ...logged,
        ]);
      } catch (cause) {
        if (failedConditions(cause).has(0)) throw new AppError('THEME_NOT_FOUND', { cause });
        throw cause;
      }
    },

    async remove(theme, last) {
      const { workspaceId, id } = theme;
      const isNotDefault = {
        ConditionCheck: {
          TableName: table.name,
          Key: defaultKey(workspaceId),
          ConditionExpression: 'attribute_not_exists(pk) OR themeId <> :id',
          ExpressionAttributeValues: { ':id': id },
        },
      };
      try {
        await themes.remove(theme, 'STALE_WRITE', [isNotDefault, ...last]);
      } catch (cause) {
        if (failedConditions(cause).size === 0) throw cause;
        const isDefault = (await readDefault(workspaceId)) === id;
        throw isDefault ? new AppError('THEME_IS_DEFAULT', { cause }) : cause;
      }
    },
  };
}
