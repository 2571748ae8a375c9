import { relative } from 'node:path';
import type { ConfirmedAttestation } from 'imprimatur-client';
import { referenceOf } from 'imprimatur-client';
import { checkout } from '../checkout.ts';
import { type StackFile, stackFilePath } from '../stack/stack-file.ts';

const quote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * Lists commands to paste into a shell, in order. They read the key and the RPC URL from stack.json: text on a terminal
 * is copied and logged.
 */
export function examples(
  directory: string,
  stack: StackFile,
  attestation: ConfirmedAttestation,
  articlePath: string,
): string {
  const node = quote(`${checkout}/node_modules/.bin/node`);
  const read = (field: string) =>
    `$(${node} -p 'JSON.parse(fs.readFileSync(process.argv[1])).${field}' ${quote(stackFilePath(directory))})`;
  const article = quote(relative(process.cwd(), articlePath));
  const one = `"$API/v1/attestations/${attestation.id}`;
  return `export IMPRIMATUR_URL=${quote(stack.apiUrl)}
export IMPRIMATUR_API_KEY="${read('apiKey')}"
API="$IMPRIMATUR_URL"
AUTH="Authorization: Bearer $IMPRIMATUR_API_KEY"

# create
curl -sw '\\n' -H "$AUTH" "$API/v1/attestations" -d '{"content":"A second article, newer than the first."}'

# get, list
curl -sw '\\n' -H "$AUTH" ${one}"
curl -sw '\\n' -H "$AUTH" "$API/v1/attestations?limit=2"

# link the newer article to the first one, as its child
CHILD=$(curl -s -H "$AUTH" "$API/v1/attestations" -d '{"content":"A second article, newer than the first."}' | ${node} -p 'JSON.parse(fs.readFileSync(0)).id')
curl -sw '\\n' -H "$AUTH" ${one}/child" -d '{"childAttestationId":"'$CHILD'"}'

# the same with the command
npx imprimatur list

# verify, asking the chain alone
npx imprimatur verify ${article} --rpc "${read('rpcUrl')}" \\
  --reference ${referenceOf(attestation)}`;
}
