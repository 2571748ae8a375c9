/** Returns the end of the string that begins at `start`: a quotation mark after an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let i = json.indexOf('"', start + 1); ; i = json.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (json[i - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return i + 1;
  }
}

const plainToken = /[{}[\],:]|[^\s{}[\],:"]+/y;

function* tokensOf(json: string): Generator<string> {
  for (let i = 0; i < json.length; ) {
    plainToken.lastIndex = i;
    const [token] = json[i] === '"' ? [json.slice(i, endOfString(json, i))] : (plainToken.exec(json) ?? []);
    if (token !== undefined) yield token;
    i += token?.length ?? 1;
  }
}

/**
 * Returns the value of the last JSON member with that name, as sent but without spaces between tokens. Parsing would
 * change numbers and the order of names.
 */
export function memberText(json: string, name: string): string | undefined {
  let text: string | undefined;
  let depth = 0;
  let key: string | undefined;
  let value = '';
  for (const token of tokensOf(json)) {
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) {
      if (key === name) text = value;
      key = undefined;
      value = '';
    } else if (depth === 1 && key === undefined) key = JSON.parse(token);
    else if (depth > 1 || token !== ':') value += token;
    if (token === '{' || token === '[') depth += 1;
  }
  return text;
}
