import { serveFunctions } from '../../../packages/local-cloud/testing/index.ts';
import { handlersOf } from './hosted-functions.ts';

/** `functions-process.ts <stack>`: runs the functions that are hosted beside the local cloud, until the parent disconnects. */
serveFunctions(handlersOf(process.argv[2]!, 'beside'));
process.once('disconnect', () => process.exit(0));
