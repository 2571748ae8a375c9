import { createServer } from 'node:http';
import { verifyWebhook } from './verify.js';

/** An example of a receiver. It verifies each request and prints each event once. Run it behind https. */

const { WEBHOOK_SECRET = '', PORT = '8787' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('set WEBHOOK_SECRET to the secret of the webhook, whsec_…');
  process.exit(1);
}
const maxBytes = 65_536;

/** IDs of the events that were received. In production, store them in a database, because events are repeated for days. */
const receivedIds = new Set();

async function readBody(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > maxBytes) throw new Error('the webhook is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

const server = createServer(async (request, response) => {
  try {
    const { id, type, data } = verifyWebhook(WEBHOOK_SECRET, request.headers, await readBody(request));
    if (!receivedIds.has(id)) console.log(type, data.id);
    receivedIds.add(id);
    // In production, answer before you process the event. Without an answer in ten seconds, the service repeats it.
    response.writeHead(204).end();
  } catch (error) {
    console.error(`refused: ${error.message}`);
    response.writeHead(400).end();
  }
});

server.listen(Number(PORT), '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${PORT}/`));
