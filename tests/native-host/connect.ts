import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ConnectNative } from '../../lib/mcp/transport/native-link.ts';
import { frameOf, readFrames } from '../../native-host/frames.ts';

const entry = join(import.meta.dirname, 'fixtures/host.ts');

/** In place of a browser: native hosts in processes of their own, with their files in `folder`. */
export function browserFor(folder: string) {
  const started: ChildProcess[] = [];
  const connect: ConnectNative = ({ message, gone }) => {
    const child = spawn(process.execPath, [entry, folder], {
      env: { ...process.env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    started.push(child);
    let isOpen = true;
    const reading = async (): Promise<void> => {
      for await (const frame of readFrames(child.stdout as AsyncIterable<Buffer>)) if (isOpen) message(frame);
    };
    child.stdin?.on('error', () => undefined);
    child.on('close', () => isOpen && gone('Native host has exited.'));
    // One that is killed may end inside a frame.
    void reading().catch(() => undefined);
    return {
      // As browsers do, which know only JSON.
      postMessage: (frame) => void child.stdin?.write(frameOf(JSON.stringify(frame))),
      disconnect() {
        isOpen = false;
        child.stdin?.end();
      },
    };
  };
  const end = async (): Promise<void> => {
    const living = started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(
      living.map((child) => {
        const ended = new Promise((resolve) => child.on('close', resolve));
        child.stdin?.end();
        return ended;
      }),
    );
  };
  return { connect, started, end };
}
