import { startPostgres } from '../postgres.ts';

/**
 * A Postgres server, in a process of its own: its package ends the process in which it is imported with the code 0,
 * whatever has happened there, and so a run of tests that failed would have passed.
 */
const server = await startPostgres(['-c', 'max_connections=300']);
const { host, port, database, user, password } = server;
process.send!({ host, port, database, user, password });
process.on('disconnect', () => void server.stop().then(() => process.exit(0)));
