#!/usr/bin/env node
import { runCommand } from './command/run-command.ts';

// The console ignores a closed pipe, as in `--help | head -1`.
process.exitCode = await runCommand(process.argv.slice(2), console);
