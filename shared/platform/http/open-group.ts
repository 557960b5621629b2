import type { Logger } from '@aws-lambda-powertools/logger';
import { type AccessTokens, accessTokens } from '../auth/access-token.ts';
import { authenticator } from '../auth/authenticate.ts';
import { MasterSecret, parameterReader } from '../crypto/master-secret.ts';
import { secretBox } from '../crypto/secret-box.ts';
import { productCheck } from '../entitlements/product-check.ts';
import { useCounter } from '../object-use/object-use.ts';
import { createLogger } from '../observability/logger.ts';
import { openTable, type Table } from '../storage/table.ts';
import { type Cursors, cursors } from './cursor.ts';
import type { GroupDeps } from './endpoint-group.ts';
import { once } from './idempotency.ts';

export interface OpenGroup extends GroupDeps {
  table: Table;
  master: MasterSecret;
  tokens: AccessTokens;
  cursors: Cursors;
  log: Logger;
}

/**
 * Opens the clients of an endpoint group with authentication, configured by the environment. A function that may only
 * read the table records neither the use of API keys nor that of objects.
 */
export function openGroup(name: string, { recordsUse = true }: { recordsUse?: boolean } = {}): OpenGroup {
  const table = openTable(environment('TABLE_NAME'));
  const master = new MasterSecret(parameterReader(environment('MASTER_SECRET_PARAMETER')));
  const tokens = accessTokens(master);
  return {
    table,
    master,
    tokens,
    cursors: cursors(master),
    authenticate: authenticator(table, tokens, { recordsUse }),
    checkProduct: productCheck(table),
    ...(recordsUse && { countUse: useCounter(table) }),
    once: once.bind(undefined, { table, secrets: secretBox(master), master }),
    now: table.now,
    log: createLogger(name),
  };
}

/** Reads a required environment variable. */
export function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is missing`);
  return value;
}
