import { runDoctor } from './doctor/doctor.ts';
import { foldersOf } from './install/folders.ts';
import { install, type InstallInput } from './install/install.ts';
import type { Machine } from './install/machine.ts';
import { recordPath } from './install/record.ts';
import { statusOf } from './install/status.ts';
import { uninstall } from './install/uninstall.ts';
import { t } from '../locales/texts/terminal.ts';

/** Takes what a command says, line by line. */
export type Spoken = (line: string) => void;

/** Installs, and then looks whether that works. */
export async function runInstall(machine: Machine, input: InstallInput, say: Spoken): Promise<boolean> {
  const { folder, node, browsers, confined } = install(machine, input);
  say(t(($) => $.install.done, { version: input.version, folder }));
  say(t(($) => $.install.node, { node }));
  for (const { browser, fault, fix } of browsers) {
    say(
      row(
        browser.name,
        fault === undefined ? t(($) => $.install.registered) : t(($) => $.install.failed, { why: fault }),
      ),
    );
    if (fix) say(row('', fix));
  }
  for (const { name } of confined)
    say(
      row(
        name,
        t(($) => $.install.confined),
      ),
    );
  if (browsers.length === 0) say(t(($) => $.install.noBrowser));
  const isSetUp = browsers.some(({ fault }) => fault === undefined);
  if (!isSetUp) return false;
  const faults = await sayFaults(machine, input.version, new Set(browsers.map(({ fix }) => fix)), say);
  if (faults === 0) say(t(($) => $.install.ready));
  return faults === 0 && browsers.every(({ fault }) => fault === undefined);
}

/** Says what is wrong, but for browsers that can't be helped and what `said` has the fix of. @returns how many faults */
async function sayFaults(
  machine: Machine,
  version: string,
  said: ReadonlySet<string | undefined>,
  say: Spoken,
): Promise<number> {
  let faults = 0;
  for await (const { steps } of runDoctor(machine, version, [])) {
    for (const { ok, text, fix } of steps) {
      if (ok || fix === t(($) => $.doctor.confinedFix) || (fix && said.has(fix))) continue;
      faults += 1;
      say(`✗ ${text}`);
      if (fix !== undefined) say(`  ${fix}`);
    }
  }
  return faults;
}

/** Whether the record of what is installed can't be read, which is said then. */
function isHidden(machine: Machine, say: Spoken): boolean {
  const record = recordPath(machine, foldersOf(machine));
  if (!machine.denies(record, 'read')) return false;
  say(t(($) => $.doctor.unreadable, { path: record }));
  say(t(($) => $.readable));
  return true;
}

export function runUninstall(machine: Machine, say: Spoken): boolean {
  if (isHidden(machine, say)) return false;
  const done = uninstall(machine);
  if (!done) {
    say(t(($) => $.uninstall.nothing));
    return true;
  }
  const { removed, left } = done;
  if (removed.length > 0) say(t(($) => $.uninstall.removed));
  removed.forEach((path) => say(`  ${path}`));
  if (left.length > 0) {
    say(t(($) => $.uninstall.left));
    left.forEach(({ place, why }) => say(`  ${place}\n    ${why}`));
    say(t(($) => $.uninstall.leftFix));
    return false;
  }
  const { portside } = foldersOf(machine);
  if (machine.exists(portside)) say(t(($) => $.uninstall.kept, { path: portside }));
  return true;
}

export function runStatus(machine: Machine, say: Spoken): boolean {
  if (isHidden(machine, say)) return false;
  const status = statusOf(machine);
  if (!status) {
    say(t(($) => $.status.none));
    return false;
  }
  say(t(($) => $.status.installed, { version: status.version, folder: status.folder }));
  for (const { browser, isSetUp, hidden } of status.browsers) {
    const unset = {
      yes: t(($) => $.status.notSetUp),
      no: t(($) => $.status.notFound),
      confined: t(($) => $.install.confined),
    }[browser.found];
    const found = hidden === undefined ? unset : t(($) => $.doctor.unreadable, { path: hidden });
    say(row(browser.name, isSetUp ? t(($) => $.install.registered) : found));
    if (hidden !== undefined)
      say(
        row(
          '',
          t(($) => $.readable),
        ),
      );
  }
  return status.browsers.some(({ isSetUp }) => isSetUp);
}

/** Says every step, and how many were wrong. */
export async function sayDoctor(
  machine: Machine,
  version: string,
  servers: string[],
  say: Spoken,
): Promise<boolean> {
  let faults = 0;
  for await (const { title, steps } of runDoctor(machine, version, servers)) {
    if (title !== undefined) say(`\n${title}`);
    for (const { ok, text, cause, fix } of steps) {
      say(`${ok ? '✓' : '✗'} ${text}`);
      if (cause !== undefined) say(indented(cause));
      if (fix !== undefined) say(indented(fix));
      if (!ok) faults += 1;
    }
  }
  say(`\n${faults === 0 ? t(($) => $.doctor.healthy) : t(($) => $.doctor.faults, { count: faults })}`);
  return faults === 0;
}

const row = (name: string, text: string): string => `  ${name.padEnd(10)}${text}`;
const indented = (text: string): string => text.replaceAll(/^/gm, '    ');
