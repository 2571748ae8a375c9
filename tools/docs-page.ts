import { createHash } from 'node:crypto';

export interface Renderer {
  readonly script: string;
  readonly style: string;
  readonly license: string;
  readonly ownLicense: string;
}

/** Source maps serve the renderer's developers; a browser would request one that is not served. */
const removeSourceMap = (text: string) =>
  text.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: ?\*\/)?\s*$/, '');

/** Escapes closing tags in a script, which would end its element. */
const escapeScript = (text: string) => removeSourceMap(text).replaceAll('</script', '<\\/script');

/** The document is next to the page, whatever their prefix is. */
const startScript = `
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
SwaggerUIBundle({
  url: location.pathname.replace(/\\/docs\\/*$/, '/openapi.json'),
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // People paste the whole header, or a key with quotation marks.
  requestInterceptor: (request) => {
    for (const name of ['Authorization', 'x-api-key']) {
      const key = /imp_(live|test)_\\w+/.exec(request.headers[name] ?? '')?.[0];
      if (key) request.headers[name] = name === 'x-api-key' ? key : 'Bearer ' + key;
    }
    return request;
  },
});
`;

/**
 * Adds text colors that the dark style lacks. On a phone, the cells of a table's row are stacked.
 */
const ownStyle = `
body { margin: 0; }
/* It links to another site; the text is at the end of the page. */
.swagger-ui .info__license { display: none; }
.license { max-width: 1460px; margin: 0 auto 40px; padding: 0 20px; box-sizing: border-box; font: 14px sans-serif; }
.license pre { white-space: pre-wrap; }
.dark-mode .license { color: #e4e6e6; }
.dark-mode .swagger-ui table.headers td,
.dark-mode .swagger-ui .examples-select__section-label { color: #e4e6e6; }
@media (max-width: 640px) {
  .swagger-ui .responses-table > thead { display: none; }
  .swagger-ui .responses-table,
  .swagger-ui .responses-table > tbody,
  .swagger-ui .responses-table > tbody > tr,
  .swagger-ui .responses-table > tbody > tr > td { display: block; width: auto; max-width: none; padding: 4px 0; }
  .swagger-ui .response-col_status { font-weight: bold; }
  .swagger-ui .opblock-body { overflow-x: auto; }
}
`;

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Makes the page and its policy, which allows no scripts except the page's two, and no requests to other hosts. */
export function docsPage({ script, style, license, ownLicense }: Renderer): { html: string; policy: string } {
  const renderer = escapeScript(script);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Imprimatur: the HTTP API</title>
<link rel="icon" href="data:,">
<!--
${license}
-->
<style>${removeSourceMap(style)}${ownStyle}</style>
</head>
<body>
<div id="api"><noscript>This page needs scripts; <a href="openapi.json">the document itself</a> does not.</noscript></div>
<details class="license"><summary>License: MIT</summary><pre>${ownLicense}</pre></details>
<script>${renderer}</script>
<script>${startScript}</script>
</body>
</html>
`;
  return { html, policy: policyOf(renderer, startScript) };
}

function policyOf(...scripts: string[]): string {
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hashSource).join(' ')}`,
    // The renderer sets styles on elements one by one.
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
