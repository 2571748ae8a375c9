/** Unpacks the browser and its libraries into the directory that TMPDIR names, as the package does in Lambda. */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
