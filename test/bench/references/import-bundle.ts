/** Imports a bundle as Lambda's runtime would and prints how many milliseconds that took. Argument: its URL. */
const stream = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: { from: (body: unknown) => body },
};
Object.assign(globalThis, { awslambda: stream });

const startedAt = performance.now();
await import(process.argv[2] ?? '');
const ms = performance.now() - startedAt;
process.stdout.write(JSON.stringify({ ms }), () => process.exit(0));
