import type { ClientOptions } from './core/options.ts';
import { sender } from './core/request.ts';
import { resourcesOver } from './core/resources.ts';
import type { Resources } from './generated/resources.ts';
import { type UploadContent, type UploadOptions, uploadFile } from './uploads.ts';

/** The operations of the API by resource, such as `datasets.list()`, with the rights of an API key or a token. */
export interface Analytics extends Resources {}
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every resource of the interface.
export class Analytics {
  readonly uploads: {
    /** Uploads a file to a data source, in parts if it is large. */
    file(sourceId: string, path: string, content: UploadContent, options?: UploadOptions): Promise<void>;
  };

  constructor(options: ClientOptions) {
    const resources = resourcesOver(sender(options));
    Object.assign(this, resources);
    this.uploads = { file: uploadFile.bind(undefined, resources) };
  }
}

export type { Call, EventOf, Events, ItemOf, Lines, List, Replied } from './core/calls.ts';
export * from './core/errors.ts';
export type { CallOptions, ClientOptions, Try } from './core/options.ts';
export type { OperationErrors, Resources } from './generated/resources.ts';
export type * as Types from './generated/types.ts';
export { objects } from './rows.ts';
export type { UploadContent, UploadOptions } from './uploads.ts';
export * as webhooks from './webhooks.ts';
