import { defineResources } from '../../resources.ts';

/** The function reads only files beside its bundle. */
export const resources = defineResources({});
