import { clientsBuilt } from './ask.ts';

// Tests of clients import their sources, a part of which is made from the declared operations.
await clientsBuilt();
