#!/usr/bin/env node
// Starts the server's program, which the package of this platform brings, and ends with it.
//
// Standard input and output are the program's own: no byte of the protocol passes through here. Signals are passed
// on, the exit code is passed back.
'use strict';

const { spawn } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { constants } = require('node:os');
const { dirname, join } = require('node:path');

const { name, version, optionalDependencies } = require('../package.json');

const WINDOWS = process.platform === 'win32';
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@${name}/${PLATFORM}`;

// A person who presses Ctrl-C again means it; npx passes on what the terminal has told us already.
const SAME_SIGNAL_MS = 1000;

function fail(...lines) {
  process.stderr.write(`${name}: ${lines.join('\n')}\n`);
  process.exit(1);
}

function program() {
  const known = Object.keys(optionalDependencies);
  if (!known.includes(PACKAGE)) {
    const platforms = known.map((known) => known.split('/')[1]).join(', ');
    fail(
      `there is no package for ${PLATFORM}; there are ${platforms}.`,
      'Build the program from its source with cargo, and name it as the command instead of this package.',
    );
  }
  try {
    const folder = dirname(require.resolve(`${PACKAGE}/package.json`));
    const path = join(folder, 'bin', WINDOWS ? `${name}.exe` : name);
    if (existsSync(path)) return path;
  } catch {
    // Told below.
  }
  return fail(
    `the package ${PACKAGE}, which has the program for this platform, is not installed.`,
    'Either npm was told to leave out optional dependencies (--omit=optional, --no-optional), or node_modules or the',
    'lock file was made on another platform, or this system has another C library than the package (musl). Run',
    `  npm install --include=optional ${name}@${version}`,
    'on this machine, or build the program from its source with cargo and name it as the command.',
  );
}

// Our parent, and under npx that one's too: between npx and us is a shell, which goes on when npx is killed.
function ancestors() {
  return [process.ppid, process.env.npm_command && parentOf(process.ppid)].join();
}

// Only Linux tells without a program of its own.
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
}

function run(path) {
  // Listened for before anything runs, so that none comes too early.
  let child;
  const last = {};
  const signals = WINDOWS ? ['SIGINT', 'SIGBREAK'] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) {
    process.on(signal, () => {
      // There the console has told the program itself, and another word of ours would kill it.
      if (WINDOWS) return;
      const now = Date.now();
      if (now - (last[signal] ?? -Infinity) < SAME_SIGNAL_MS) return;
      last[signal] = now;
      child.kill(signal);
    });
  }

  // In a group of its own a signal from the terminal reaches the program once, through us. Windows has no groups.
  child = spawn(path, process.argv.slice(2), { stdio: 'inherit', detached: !WINDOWS });

  child.on('error', (error) => {
    const why = error.code === 'ENOENT' ? 'it needs a C library that is not there (glibc)' : error.message;
    fail(`${path} could not be started: ${why}.`, 'Build it from its source with cargo, and name it as the command.');
  });

  // Who started us may be killed without a word. Nothing tells us so but the new parent; the program watches us in turn,
  // and knows whether it is to end then.
  const started = ancestors();
  setInterval(() => ancestors() === started || process.exit(1), 1000).unref();

  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const passed of signals) process.removeAllListeners(passed);
    // Ended as the program was, as far as the system lets us.
    try {
      process.kill(process.pid, signal);
    } finally {
      process.exitCode = 128 + (constants.signals[signal] ?? 0);
    }
  });
}

run(program());
