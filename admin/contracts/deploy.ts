import { ignoreClosedPipe } from 'imprimatur-terminal/text';
import { runDeploy } from './run-deploy.ts';

ignoreClosedPipe(process.stdout);
ignoreClosedPipe(process.stderr);
process.exitCode = await runDeploy(process.argv.slice(2), {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
