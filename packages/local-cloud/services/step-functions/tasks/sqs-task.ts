import { createHash } from 'node:crypto';
import type { Principal } from '../../../core/access/principal.ts';
import type { SqsPort } from '../../../core/ports.ts';
import { type Json, type JsonObject, textOf } from '../json.ts';
import { StateError } from '../state-error.ts';
import { sdkMetadata, serviceError } from './service-error.ts';

/** `arn:aws:states:::sqs:sendMessage`; a `MessageBody` other than text is sent as JSON. */
export async function sendMessage(sqs: SqsPort, region: string, members: JsonObject, caller: Principal): Promise<Json> {
  const { QueueUrl, MessageBody = null, DelaySeconds, MessageGroupId } = members;
  const body = textOf(MessageBody);
  try {
    const { messageId } = await sqs.send({
      queueArn: queueArn(String(QueueUrl), region),
      body,
      caller,
      ...(DelaySeconds !== undefined && { delaySeconds: Number(DelaySeconds) }),
      ...(MessageGroupId !== undefined && { messageGroupId: String(MessageGroupId) }),
    });
    return {
      MD5OfMessageBody: createHash('md5').update(body).digest('hex'),
      MessageId: messageId,
      ...sdkMetadata(200),
    };
  } catch (error) {
    throw serviceError('Sqs', error);
  }
}

/** `http://127.0.0.1:3000/000000000000/orders` → the queue's ARN. */
function queueArn(url: string, region: string): string {
  const [, account, name] = /^https?:\/\/[^/]+\/(\d{12})\/([\w.-]+)$/.exec(url) ?? [];
  if (!name) throw new StateError('Sqs.InvalidAddressException', `The address ${url} is not valid for this endpoint.`);
  return `arn:aws:sqs:${region}:${account}:${name}`;
}
