import { afterAll, beforeAll, onTestFinished } from 'vitest';
import {
  connectPostgres,
  extractToParquet,
  type PostgresExtract,
  type PostgresSource,
  type PostgresTarget,
} from '../../../../shared/data/connectors/postgres/index.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { openTestEngine, rowsOf } from '../../data/engine/open-test-engine.ts';

export const TIMEOUTS = { connectMs: 3000, statementMs: 10_000 };
export const GUARD = createAddressGuard({ allowedPrivateCidrs: ['127.0.0.0/8'] });

export interface PostgresUnderTest {
  postgres: TestPostgres;
  config: PostgresTarget;
  openSource(changes?: Partial<PostgresTarget>, timeouts?: typeof TIMEOUTS): Promise<PostgresSource>;
  /** Extracts into Parquet and reads it back. */
  extract(request: PostgresExtract, source?: PostgresSource): ReturnType<typeof extractAndRead>;
}

/** A server for all tests of a file; connections close with the test that opened them. */
export function usePostgres(): PostgresUnderTest {
  const under = {} as PostgresUnderTest;
  beforeAll(async () => {
    under.postgres = await startPostgres();
    const { host, port, database, user, password } = under.postgres;
    under.config = { host, port, database, user, password, ssl: false };
  });
  afterAll(() => under.postgres.stop());
  under.openSource = async (changes = {}, timeouts = TIMEOUTS) => {
    const source = await connectPostgres({ ...under.config, ...changes }, { guard: GUARD, timeouts });
    onTestFinished(() => source.close());
    return source;
  };
  under.extract = async (request, source) => extractAndRead(request, source ?? (await under.openSource()));
  return under;
}

async function extractAndRead(request: PostgresExtract, source: PostgresSource) {
  const { engine, dir } = await openTestEngine();
  const result = await extractToParquet(engine, source, request, `${dir}/out.parquet`);
  await engine.attach('out', [`${dir}/out.parquet`]);
  return { ...result, data: await rowsOf(engine, 'SELECT * FROM out') };
}
