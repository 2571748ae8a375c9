#!/usr/bin/env node
// forge needs a solc executable; npm's registry has solcjs. This script supports the two calls that forge makes.
const { readFileSync } = require('node:fs');
const solc = require('solc');

const argument = process.argv.slice(2).find((word) => word === '--version' || word === '--standard-json');
if (argument === '--version') {
  // forge takes the platform from the version and knows none called Emscripten.
  const version = solc.version().replace(/Emscripten\.clang$/, 'Linux.g++');
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`);
} else if (argument === '--standard-json') {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
} else {
  console.error('solc.cjs: use --version or --standard-json');
  process.exitCode = 1;
}
