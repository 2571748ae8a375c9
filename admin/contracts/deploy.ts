import { runDeploy } from './run-deploy.ts';

process.exitCode = await runDeploy(process.argv.slice(2), {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
