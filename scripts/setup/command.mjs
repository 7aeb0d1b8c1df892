import { spawn } from 'node:child_process';

/** One line on stderr, so that stdout stays free for what was asked for. */
export function say(line) {
  process.stderr.write(`portside: ${line}\n`);
}

/** Ends the process with what happened and what to do about it. */
export function giveUp(problem, remedy) {
  say(problem);
  for (const line of remedy.split('\n')) say(`  ${line}`);
  process.exit(1);
}

/**
 * Runs a program quietly. Resolves with its exit code (null when it could not be started or took too long) and what it
 * wrote last.
 */
export function runQuietly(
  program,
  args,
  { env = process.env, cwd, timeout = 10 * 60_000, shell = false } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-8000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const timer = setTimeout(() => {
      keep(`\nstopped after ${timeout / 1000} s`);
      child.kill('SIGKILL');
    }, timeout);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: null, output: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: output.trim() });
    });
  });
}
