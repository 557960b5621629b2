import { expect, it } from 'vitest';
import { useCdc } from './cdc-setup.ts';

const under = useCdc();

it('takes a transaction of 200,000 rows over as one batch, though the source restarts and workers die meanwhile', async () => {
  const { cdc } = under;
  await cdc.postgres.run(
    "CREATE TABLE big (id INT PRIMARY KEY, text TEXT); INSERT INTO big SELECT n, 'old' FROM generate_series(1, 120000) n",
  );
  const stream = await cdc.givenStream('big', ['big']);
  expect(await cdc.capture(stream)).toBe('done');
  await cdc.postgres.run(`BEGIN; UPDATE big SET text = repeat('new ', 30);
    INSERT INTO big SELECT n, repeat('new ', 30) FROM generate_series(120001, 200000) n; COMMIT`);
  expect(await cdc.captureDying(stream, 4, 'before')).toBe(true);
  await cdc.postgres.shutDown();
  expect(await cdc.capture(stream)).toBe('failed');
  await cdc.postgres.startUp();
  expect(await cdc.capture(stream)).toBe('done');
  const batches = await cdc.batches(stream);
  const last = batches.at(-1)!;
  expect(last.files.length).toBeGreaterThan(2);
  expect(last.files.reduce((sum, { rows }) => sum + rows, 0)).toBe(200_000);
  const reader = await cdc.givenReader(stream, 'big');
  expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
  const [counts] = await cdc.rows(
    'big',
    "SELECT count(*), count(DISTINCT id), count(*) FILTER (text = repeat('new ', 30)) FROM data",
  );
  expect(counts).toEqual([200_000, 200_000, 200_000]);
  // What the dead worker had stored of the batch is swept away.
  const stored = await cdc.context.objects.list(`W/${stream.workspaceId}/cdc/${stream.id}/`);
  expect(stored.length).toBe(batches.flatMap(({ files }) => files).length);
});
