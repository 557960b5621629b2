import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argon2id, argon2Verify } from 'hash-wasm';

/**
 * What a password costs without a platform: an HTTP server that checks one against its hash. Argument: the base-2
 * logarithm of the memory in KiB. Prints its address.
 */
const [cost = ''] = process.argv.slice(2);
const password = 'a long enough password';
const hash = await argon2id({
  password,
  salt: new Uint8Array(16).fill(7),
  ...{ memorySize: 2 ** Number(cost), iterations: 2, parallelism: 1, hashLength: 32 },
  outputType: 'encoded',
});

const server = createServer(async (_request, response) => {
  const isRight = await argon2Verify({ password, hash });
  response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
