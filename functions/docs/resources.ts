import { defineResources } from '../resources.ts';

/** Files beside the bundle are all that it reads. */
export const resources = defineResources({});
