import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalCloud } from '../../cloud.ts';

let folder: string;
let cloud: LocalCloud;
let client: SESv2Client;
const open = async () => {
  cloud = await LocalCloud.open({ dataDir: folder, port: 0 });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new SESv2Client({ endpoint: cloud.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
};
const close = async () => {
  client.destroy();
  await cloud.close();
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ses-'));
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const HOSTILE = '<script>top.location = "https://evil.example/"</script>';

const send = (change: Partial<SendEmailCommandInput> = {}) =>
  client.send(
    new SendEmailCommand({
      FromEmailAddress: 'App <app@example.com>',
      Destination: { ToAddresses: ['Ada@example.com'] },
      Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Text' }, Html: { Data: HOSTILE } } } },
      ...change,
    }),
  );
const get = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(cloud.endpoint + path, { headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};
const listed = async (query = '') => JSON.parse((await get(`/_local/mails${query}`)).text);

describe('a sent mail', () => {
  it('is listed, newest first and by recipient, also after a restart', async () => {
    const { MessageId } = await send();
    await send({ Destination: { ToAddresses: ['Bob <bob@example.com>'], BccAddresses: ['eve@example.com'] } });
    await close();
    await open();
    const { items, total } = await listed();
    expect(total).toBe(2);
    expect(items[1]).toEqual({
      ...{ id: MessageId, sentAt: expect.any(String), from: 'App <app@example.com>', to: ['Ada@example.com'] },
      ...{ cc: [], bcc: [], replyTo: [], subject: 'Hello', text: 'Text', html: HOSTILE },
    });
    for (const to of ['bob@example.com', 'EVE@example.com']) {
      expect(await listed(`?to=${to}`)).toEqual({ items: [items[0]], total: 1 });
    }
  });

  it('is rejected as a whole if one of its recipients is not verified', async () => {
    const ToAddresses = ['ada@example.com', 'Bob <bob@unverified.example>'];
    await expect(send({ Destination: { ToAddresses } })).rejects.toMatchObject({
      name: 'MessageRejected',
      message: expect.stringContaining('bob@unverified.example'),
    });
    expect(await listed()).toEqual({ items: [], total: 0 });
  });

  it('keeps its headers, which must be valid', async () => {
    const Simple = { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Text' } } };
    const withHeader = (Name: string, Value: string) =>
      send({ Content: { Simple: { ...Simple, Headers: [{ Name, Value }] } } });
    await withHeader('List-Unsubscribe', '<https://example.com/>');
    expect((await listed()).items[0].headers).toEqual({ 'List-Unsubscribe': '<https://example.com/>' });
    await expect(withHeader('Two words', 'x')).rejects.toMatchObject({ name: 'BadRequestException' });
    await expect(withHeader('X-Line', 'a\r\nBcc: eve@example.com')).rejects.toMatchObject({
      name: 'BadRequestException',
    });
  });

  it('keeps its attachments, which mail programs must not run', async () => {
    const Simple = { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Text' } } };
    const withFile = (FileName: string) => {
      const file = { FileName, ContentType: 'text/csv', RawContent: Buffer.from('a,b') };
      return send({ Content: { Simple: { ...Simple, Attachments: [file] } } });
    };
    await withFile('<b>.csv');
    const [{ id, attachments }] = (await listed()).items;
    expect(attachments).toEqual([
      { fileName: '<b>.csv', contentType: 'text/csv', bytes: 3, content: Buffer.from('a,b').toString('base64') },
    ]);
    expect((await get(`/_local/inbox/${id}`)).text).toContain('&lt;b&gt;.csv (3 bytes)');
    for (const name of ['run.exe', 'two\r\nlines.csv'])
      await expect(withFile(name)).rejects.toMatchObject({ name: 'BadRequestException' });
  });

  it('shows its own pictures in the page of its HTML', async () => {
    const picture = { FileName: 'a.png', ContentType: 'image/png', RawContent: Buffer.from('pixels') };
    const withPicture = (more: object) => {
      const Body = { Html: { Data: '<img src="cid:one"><img src="cid:other">' } };
      const Attachments = [{ ...picture, ContentId: 'one', ContentDisposition: 'INLINE' as const, ...more }];
      return send({ Content: { Simple: { Subject: { Data: 'Hello' }, Body, Attachments } } });
    };
    const { MessageId } = await withPicture({});
    const [{ attachments }] = (await listed()).items;
    expect(attachments).toMatchObject([{ contentId: 'one', fileName: 'a.png' }]);
    const data = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;
    const shown = (await get(`/_local/inbox/${MessageId}/html`)).text;
    expect(shown).toBe(`<img src="${data}"><img src="cid:other">`);
    for (const wrong of [{ ContentId: 'a>b' }, { ContentDisposition: 'ATTACHMENT' as const }])
      await expect(withPicture(wrong)).rejects.toMatchObject({ name: 'BadRequestException' });
  });

  it('is shown by pages that neither run nor load what is in it', async () => {
    const subject = '<img src=x onerror=alert(1)>';
    const text = `See https://example.com/?a=1&b="2 ${HOSTILE}`;
    const Body = { Text: { Data: text }, Html: { Data: HOSTILE } };
    const { MessageId } = await send({ Content: { Simple: { Subject: { Data: subject }, Body } } });
    for (const path of ['/_local/inbox', `/_local/inbox/${MessageId}`]) {
      const page = await get(path);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).not.toContain('<script');
      expect(page.text).toContain('&lt;img src=x');
    }
    const mail = await get(`/_local/inbox/${MessageId}`);
    expect(mail.text).toContain(`<iframe sandbox title="The mail as HTML" src="/_local/inbox/${MessageId}/html">`);
    expect(mail.text).toContain('<a href="https://example.com/?a=1&amp;b=" rel="noreferrer">');
    const html = await get(`/_local/inbox/${MessageId}/html`);
    expect(html.text).toBe(HOSTILE);
    expect(html.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(html.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is no business of foreign pages, nor of other methods', async () => {
    await send();
    for (const path of ['/_local/mails', '/_local/inbox']) {
      expect((await get(path, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await fetch(cloud.endpoint + path, { method: 'DELETE' })).status).toBe(405);
    }
    expect((await get('/_local/inbox/unknown')).status).toBe(404);
    expect((await get('/_local/inbox/unknown/html')).status).toBe(404);
  });

  it('replaces the oldest one when there are a thousand', async () => {
    await send({ Destination: { ToAddresses: ['first@example.com'] } });
    for (let batch = 0; batch < 20; batch += 1) await Promise.all(Array.from({ length: 50 }, () => send()));
    expect((await listed('?to=first@example.com')).total).toBe(0);
    expect(await listed()).toMatchObject({ total: 1000, items: { length: 100 } });
  });
});

describe('SendEmail', () => {
  const text = { Text: { Data: 't' } };
  const rejected: [string, Partial<SendEmailCommandInput>][] = [
    ['no sender', { FromEmailAddress: undefined }],
    ['a sender that is no address', { FromEmailAddress: 'app' }],
    ['no recipient', { Destination: {} }],
    ['a recipient with a line break', { Destination: { ToAddresses: ['a@example.com\r\nBcc: b@example.com'] } }],
    ['too many recipients', { Destination: { ToAddresses: Array(51).fill('a@example.com') } }],
    ['no subject', { Content: { Simple: { Subject: undefined, Body: text } } }],
    ['a subject of two lines', { Content: { Simple: { Subject: { Data: 'a\nBcc: b@example.com' }, Body: text } } }],
    ['no body', { Content: { Simple: { Subject: { Data: 's' }, Body: {} } } }],
  ];
  it.each(rejected)('rejects %s', async (_, change) => {
    await expect(send(change)).rejects.toMatchObject({ name: 'BadRequestException' });
    expect((await listed()).total).toBe(0);
  });

  it('rejects what it does not support', async () => {
    for (const change of [
      { Content: { Raw: { Data: Buffer.from('x') } } },
      { Content: { Template: { TemplateName: 't' } } },
      { ConfigurationSetName: 'c' },
    ]) {
      await expect(send(change)).rejects.toMatchObject({ name: 'UnsupportedOperationException' });
    }
  });

  it('fails on demand', async () => {
    cloud.faults.replace([{ service: 'ses', operation: 'SendEmail', effect: 'throttle', times: 1 }]);
    await expect(send()).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    await send();
    expect((await listed()).total).toBe(1);
  });
});
