export const sections = (...names: string[]) =>
  names.map((name) => `test/service/conformance/section-${name}.test.ts`);

/** Tests on the deployed stack that `npm test` runs, over HTTP: create, repeat, get, list, link, errors, confirmed, verified. */
export const mainPaths = sections('1', '4-1', '7');
