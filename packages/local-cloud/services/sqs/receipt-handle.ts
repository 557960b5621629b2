import { AwsError } from '../../core/aws-error.ts';

/** A receipt handle names a message and one receive of it. */
export interface Receipt {
  queueId: number;
  seq: number;
  receipt: string;
}

export function receiptHandle({ queueId, seq, receipt }: Receipt): string {
  return Buffer.from(`${queueId}:${seq}:${receipt}`).toString('base64url');
}

/** Throws `ReceiptHandleIsInvalid` for a handle that is not this queue's. */
export function readReceiptHandle(handle: string, queueId: number): Receipt {
  const parts = /^(\d+):(\d+):([\w-]+)$/.exec(Buffer.from(handle, 'base64url').toString('latin1'));
  if (!parts || Number(parts[1]) !== queueId) {
    throw new AwsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle}" is not a valid receipt handle.`,
      {
        status: 404,
      },
    );
  }
  return { queueId, seq: Number(parts[2]), receipt: parts[3] as string };
}
