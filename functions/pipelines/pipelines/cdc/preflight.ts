import { connectForCapture, preflightIssues, targetOf } from '../../../../shared/domains/pipelines/cdc/index.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import type { AddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import type { CdcDeps } from './cdc-streams.ts';

/** The preflight runs inside a request. */
const TIMEOUTS = { connectMs: 8_000, statementMs: 10_000 };

/** Checks whether a source meets the prerequisites of a stream. Throws `DATA_SOURCE_UNREACHABLE` with the reason. */
export function cdcPreflight(secrets: SecretBox, guard: AddressGuard): CdcDeps['preflight'] {
  return async (source, { tables, slotName }, isNew) => {
    try {
      const connection = await connectForCapture(await targetOf(secrets, source), { guard, timeouts: TIMEOUTS });
      try {
        return await preflightIssues(connection, { tables: tables.map(({ name }) => name), slotName, hasSlot: !isNew });
      } finally {
        await connection.close();
      }
    } catch (cause) {
      if (!(cause instanceof DataError)) throw cause;
      const { code, message } = cause;
      const errors = [{ pointer: '/sourceId', code, message }];
      throw new AppError('DATA_SOURCE_UNREACHABLE', { cause, detail: message, errors });
    }
  };
}
