import { defineResources } from '../../resources.ts';

/** The function reads only files beside its bundle; its page sends uploads to the bucket. */
export const resources = defineResources({ settings: ['UPLOAD_ORIGIN'] });
