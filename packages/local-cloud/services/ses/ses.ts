import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { accessCheck } from '../../core/access/authorizer.ts';
import { openDatabase } from '../../core/database.ts';
import { RestJson, refuseRest } from '../../core/rest-json.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { sesRequests } from '../../iam/requests/ses.ts';
import { faultErrors, restErrors } from './errors.ts';
import { serveInbox } from './inbox.ts';
import { MAILS_SCHEMA, Mails } from './mails.ts';
import { sendEmailRoute } from './send-email.ts';

export interface Ses extends LocalService {
  /** Answers requests for the page and the list of sent mails. Returns false for any other request. */
  serveInbox(message: IncomingMessage, response: ServerResponse): boolean;
}

/** Simple Email Service (version 2) on this machine: mails are stored instead of sent. */
export function createSes(context: CloudContext): Ses {
  const database = openDatabase(join(context.dataDir, 'ses.sqlite'), MAILS_SCHEMA);
  const mails = new Mails(database);
  const api = new RestJson({
    name: 'ses',
    routes: [sendEmailRoute(context, mails)],
    query: {},
    errors: restErrors,
    checkAccess: accessCheck(context, sesRequests, 403),
    faults: { context, errors: faultErrors },
  });
  return {
    signingName: 'ses',
    refuse: refuseRest(restErrors),
    handle: (request, response) => api.answer(request, response),
    serveInbox: (message, response) => serveInbox(mails, message, response),
    async close() {
      database.close();
    },
  };
}
